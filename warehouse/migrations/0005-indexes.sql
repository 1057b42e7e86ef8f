-- Indexes for reads that do not use the key. The embedded database uses the order of the rows and creates none of these indexes.

CREATE INDEX by_time ON github_events (created_at);
CREATE INDEX by_opening ON mv_repo_issues (repo_id, opened_at, number);
CREATE INDEX by_opening ON mv_repo_pull_requests (repo_id, opened_at, number);
CREATE INDEX by_day ON mv_repo_stars (repo_id, day, user_id);
CREATE INDEX by_type_and_time ON mv_event_coverage (type, newest_at);
CREATE INDEX by_newest ON mv_event_coverage (newest_at);
CREATE INDEX by_day ON mv_event_coverage (day);
CREATE INDEX by_time ON mv_trending_repos (dt);
CREATE INDEX by_collection ON collection_items (collection_id);
CREATE INDEX by_repo ON collection_items (repo_id);

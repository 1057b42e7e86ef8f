-- The events in github_events that only GitHub's feed of their repository has: no imported file has them.
CREATE TABLE repo_feed_events (
  created_at DATETIME NOT NULL,
  id BIGINT NOT NULL,
  type VARCHAR(29) NOT NULL,
  repo_id BIGINT NOT NULL,
  actor_id BIGINT NOT NULL,
  action VARCHAR(32) NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (created_at, id, type, repo_id, actor_id),
  INDEX by_repo (repo_id, type)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- The times for which github_events has all events of a repository, because polls of its feed overlapped.
CREATE TABLE repo_feed_ranges (
  repo_id BIGINT NOT NULL,
  first_at DATETIME NOT NULL,
  last_at DATETIME NOT NULL,
  period VARCHAR(64) NOT NULL,
  PRIMARY KEY (repo_id, first_at)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- The pages of feeds that were read and are not in github_events yet, in their order. The last page of a poll has the range that the poll
-- completes; its start is empty if the range of the previous poll continues.
CREATE TABLE sys_repo_feed_pages (
  position BIGINT NOT NULL PRIMARY KEY,
  repo_id BIGINT NOT NULL,
  events MEDIUMTEXT NOT NULL,
  first_at DATETIME,
  last_at DATETIME
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- The time of the next poll of a feed.
ALTER TABLE sys_repo_sources ADD COLUMN due_at DATETIME;

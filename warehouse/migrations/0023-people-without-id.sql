-- The number of people of a repository that are known only by login.
ALTER TABLE mv_repo_totals ADD COLUMN people_without_id BIGINT NOT NULL DEFAULT 0;

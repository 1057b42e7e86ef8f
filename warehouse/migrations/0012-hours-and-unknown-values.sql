-- Values that an event does not contain are NULL. `migrate` corrects stored rows where they show this (warehouse/unknown-values.ts).
ALTER TABLE github_events
  MODIFY COLUMN id BIGINT,
  MODIFY COLUMN repo_id BIGINT,
  MODIFY COLUMN repo_name VARCHAR(140),
  MODIFY COLUMN actor_id BIGINT,
  MODIFY COLUMN actor_login VARCHAR(40),
  MODIFY COLUMN language VARCHAR(26),
  MODIFY COLUMN additions BIGINT,
  MODIFY COLUMN deletions BIGINT,
  MODIFY COLUMN action VARCHAR(11),
  MODIFY COLUMN number INT,
  MODIFY COLUMN commit_id VARCHAR(40),
  MODIFY COLUMN comment_id BIGINT,
  MODIFY COLUMN org_login VARCHAR(40),
  MODIFY COLUMN org_id BIGINT,
  MODIFY COLUMN state VARCHAR(6),
  MODIFY COLUMN closed_at DATETIME,
  MODIFY COLUMN comments INT,
  MODIFY COLUMN pr_merged_at DATETIME,
  MODIFY COLUMN pr_merged TINYINT,
  MODIFY COLUMN pr_changed_files INT,
  MODIFY COLUMN pr_review_comments INT,
  MODIFY COLUMN pr_or_issue_id BIGINT,
  MODIFY COLUMN push_size INT,
  MODIFY COLUMN push_distinct_size INT,
  MODIFY COLUMN creator_user_login VARCHAR(40),
  MODIFY COLUMN creator_user_id BIGINT,
  MODIFY COLUMN pr_or_issue_created_at DATETIME;

-- Bit h of `hours` is 1 if hour h of the day (0 to 23, UTC) has an event of the type.
ALTER TABLE mv_event_coverage ADD COLUMN hours INT NOT NULL DEFAULT 0;

-- The hours of a day whose archive files were imported, as bits. The events of a day without a row come from other files.
CREATE TABLE imported_hours (
  day DATE NOT NULL PRIMARY KEY,
  hours INT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Consecutive hours without any event of a type: within the data, before the data (from 2000) and after the data (to 2099).
-- `period` is the text of the hours for notices.
DROP TABLE IF EXISTS mv_feed_gaps;
CREATE TABLE mv_feed_gaps (
  type VARCHAR(29) NOT NULL,
  first_hour DATETIME NOT NULL,
  last_hour DATETIME NOT NULL,
  hours INT NOT NULL,
  period VARCHAR(64) NOT NULL,
  PRIMARY KEY (type, first_hour)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- 1 if a pull request event has the number; 0 if only a review contains its merge.
ALTER TABLE mv_repo_pull_requests ADD COLUMN has_event TINYINT NOT NULL DEFAULT 1;

-- Numbers without an event that names the creator.
ALTER TABLE mv_repo_totals ADD COLUMN issues_without_creator BIGINT NOT NULL DEFAULT 0;
ALTER TABLE mv_repo_totals ADD COLUMN pull_requests_without_creator BIGINT NOT NULL DEFAULT 0;

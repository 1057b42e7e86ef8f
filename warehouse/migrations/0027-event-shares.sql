-- By type and month, the events of the data, and how many of GitHub's they are (warehouse/derived/event-shares.ts).
CREATE TABLE mv_event_shares (
  type VARCHAR(29) NOT NULL,
  month DATE NOT NULL,
  events BIGINT NOT NULL,
  push_share DECIMAL(5, 4) NOT NULL,
  repositories INT NOT NULL,
  known BIGINT NOT NULL,
  counted BIGINT NOT NULL,
  is_partial TINYINT NOT NULL,
  period VARCHAR(64) NOT NULL,
  PRIMARY KEY (type, month)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- Whether an event has the opening, and not only the list of GitHub.
ALTER TABLE mv_repo_issues ADD COLUMN in_events TINYINT NOT NULL DEFAULT 1;
ALTER TABLE mv_repo_pull_requests ADD COLUMN in_events TINYINT NOT NULL DEFAULT 1;

-- The issues and pull requests that GitHub lists for tracked repositories, as far as the lists were read.
CREATE TABLE github_issues (
  repo_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  is_pull_request TINYINT NOT NULL,
  user_id BIGINT NOT NULL,
  opened_at DATETIME NOT NULL,
  merged_at DATETIME,
  PRIMARY KEY (repo_id, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- The repositories whose list was read to its end, with the day of the newest request. Derived tables have the issues of these
-- repositories only.
CREATE TABLE github_issue_lists (
  repo_id BIGINT NOT NULL PRIMARY KEY,
  listed_on DATE NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- The next page of an issue list contains what was updated since this time.
ALTER TABLE sys_repo_sources ADD COLUMN updated_since DATETIME;

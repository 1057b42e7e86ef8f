-- The tables that are computed from github_events. The definition of each table is in warehouse/tables/.

-- The numbers of issues and pull requests in events of any action. user_id: the account that opened it; 0 in the row of other actions.
-- number: the negative id if the feed has no number.
CREATE TABLE mv_repo_issues (
  repo_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  opened_at DATETIME,
  PRIMARY KEY (repo_id, number, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Like mv_repo_issues. merged_at and creator_id are those of the merge; creator_id is 0 if the feed does not contain it.
CREATE TABLE mv_repo_pull_requests (
  repo_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  opened_at DATETIME,
  merged_at DATETIME,
  creator_id BIGINT,
  PRIMARY KEY (repo_id, number, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The days on which users starred a repository.
CREATE TABLE mv_repo_stars (
  repo_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  day DATE NOT NULL,
  PRIMARY KEY (repo_id, user_id, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The users who forked a repository.
CREATE TABLE mv_repo_forks (
  repo_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  PRIMARY KEY (repo_id, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE mv_repo_daily_engagements (
  day DATE NOT NULL,
  repo_id BIGINT NOT NULL,
  user_login VARCHAR(40) NOT NULL,
  engagements INT NOT NULL,
  PRIMARY KEY (repo_id, user_login, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE mv_repo_participants (
  repo_id BIGINT NOT NULL,
  user_login VARCHAR(40) NOT NULL,
  first_engagement_at DATETIME NOT NULL,
  last_engagement_at DATETIME NOT NULL,
  PRIMARY KEY (repo_id, user_login)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE mv_repo_issue_creators (
  repo_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  issues INT NOT NULL,
  first_issue_opened_at DATETIME NOT NULL,
  PRIMARY KEY (repo_id, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE mv_repo_pull_request_creators (
  repo_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  prs INT NOT NULL,
  first_pr_opened_at DATETIME NOT NULL,
  first_pr_merged_at DATETIME,
  PRIMARY KEY (repo_id, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Actors by the day of their first event of a kind: issue_creators, pull_request_creators or stargazers.
CREATE TABLE mv_repo_daily_newcomers (
  repo_id BIGINT NOT NULL,
  kind VARCHAR(21) NOT NULL,
  day DATE NOT NULL,
  newcomers INT NOT NULL,
  PRIMARY KEY (repo_id, kind, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Distinct issue numbers, pull request numbers, star actors and fork actors of a repository.
CREATE TABLE mv_repo_totals (
  repo_id BIGINT NOT NULL PRIMARY KEY,
  issues BIGINT NOT NULL,
  pull_requests BIGINT NOT NULL,
  stars BIGINT NOT NULL,
  forks BIGINT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE mv_trending_repos (
  language VARCHAR(32) NOT NULL,
  period VARCHAR(15) NOT NULL,
  dt DATETIME NOT NULL,
  repo_id BIGINT NOT NULL,
  stars INT,
  forks INT,
  pull_requests INT,
  pushes INT,
  total_score DECIMAL(20, 4) NOT NULL,
  contributor_logins TEXT,
  PRIMARY KEY (language, period, dt, repo_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Events by type and day, and the time of the newest event: the coverage of the data and the age of every answer.
CREATE TABLE mv_event_coverage (
  type VARCHAR(29) NOT NULL,
  day DATE NOT NULL,
  events BIGINT NOT NULL,
  newest_at DATETIME NOT NULL,
  PRIMARY KEY (type, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Consecutive days within the coverage without any event of a type that other days have.
CREATE TABLE mv_feed_gaps (
  type VARCHAR(29) NOT NULL,
  first_day DATE NOT NULL,
  last_day DATE NOT NULL,
  PRIMARY KEY (type, first_day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

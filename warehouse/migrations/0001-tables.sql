-- The tables of events, repositories and users. Every date-time is UTC.

CREATE TABLE github_events (
  id BIGINT NOT NULL DEFAULT 0,
  type VARCHAR(29) NOT NULL DEFAULT 'Event',
  created_at DATETIME NOT NULL DEFAULT '1970-01-01 00:00:00',
  repo_id BIGINT NOT NULL DEFAULT 0,
  repo_name VARCHAR(140) NOT NULL DEFAULT '',
  actor_id BIGINT NOT NULL DEFAULT 0,
  actor_login VARCHAR(40) NOT NULL DEFAULT '',
  language VARCHAR(26) NOT NULL DEFAULT '',
  additions BIGINT NOT NULL DEFAULT 0,
  deletions BIGINT NOT NULL DEFAULT 0,
  action VARCHAR(11) NOT NULL DEFAULT '',
  number INT NOT NULL DEFAULT 0,
  commit_id VARCHAR(40) NOT NULL DEFAULT '',
  comment_id BIGINT NOT NULL DEFAULT 0,
  org_login VARCHAR(40) NOT NULL DEFAULT '',
  org_id BIGINT NOT NULL DEFAULT 0,
  state VARCHAR(6) NOT NULL DEFAULT '',
  closed_at DATETIME NOT NULL DEFAULT '1970-01-01 00:00:00',
  comments INT NOT NULL DEFAULT 0,
  pr_merged_at DATETIME NOT NULL DEFAULT '1970-01-01 00:00:00',
  pr_merged TINYINT NOT NULL DEFAULT 0,
  pr_changed_files INT NOT NULL DEFAULT 0,
  pr_review_comments INT NOT NULL DEFAULT 0,
  pr_or_issue_id BIGINT NOT NULL DEFAULT 0,
  event_day DATE NOT NULL,
  event_month DATE NOT NULL,
  event_year INT NOT NULL,
  push_size INT NOT NULL DEFAULT 0,
  push_distinct_size INT NOT NULL DEFAULT 0,
  creator_user_login VARCHAR(40) NOT NULL DEFAULT '',
  creator_user_id BIGINT NOT NULL DEFAULT 0,
  pr_or_issue_created_at DATETIME NOT NULL DEFAULT '1970-01-01 00:00:00'
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE github_repos (
  repo_id BIGINT NOT NULL PRIMARY KEY,
  repo_name VARCHAR(140) NOT NULL DEFAULT '',
  owner_id BIGINT NOT NULL DEFAULT 0,
  owner_login VARCHAR(40) NOT NULL DEFAULT '',
  owner_is_org TINYINT NOT NULL DEFAULT 0,
  description VARCHAR(512) NOT NULL DEFAULT '',
  primary_language VARCHAR(32) NOT NULL DEFAULT '',
  license VARCHAR(32) NOT NULL DEFAULT '',
  size BIGINT NOT NULL DEFAULT 0,
  stars INT NOT NULL DEFAULT 0,
  forks INT NOT NULL DEFAULT 0,
  parent_repo_id BIGINT,
  is_fork TINYINT NOT NULL DEFAULT 0,
  is_archived TINYINT NOT NULL DEFAULT 0,
  is_deleted TINYINT NOT NULL DEFAULT 0,
  latest_released_at DATETIME,
  pushed_at DATETIME,
  created_at DATETIME,
  updated_at DATETIME,
  last_event_at DATETIME,
  refreshed_at DATETIME,
  KEY by_name (repo_name)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE github_users (
  id BIGINT NOT NULL PRIMARY KEY,
  login VARCHAR(40) NOT NULL DEFAULT '',
  type VARCHAR(12) NOT NULL DEFAULT 'N/A',
  is_bot TINYINT NOT NULL DEFAULT 0,
  name VARCHAR(255) NOT NULL DEFAULT '',
  email VARCHAR(255) NOT NULL DEFAULT '',
  organization VARCHAR(255) NOT NULL DEFAULT '',
  organization_formatted VARCHAR(255) NOT NULL DEFAULT '',
  address VARCHAR(255) NOT NULL DEFAULT '',
  country_code CHAR(3) NOT NULL DEFAULT 'N/A',
  region_code CHAR(3) NOT NULL DEFAULT 'N/A',
  state VARCHAR(255) NOT NULL DEFAULT '',
  city VARCHAR(255) NOT NULL DEFAULT '',
  longitude DECIMAL(11, 8) NOT NULL DEFAULT 0,
  latitude DECIMAL(10, 8) NOT NULL DEFAULT 0,
  public_repos INT NOT NULL DEFAULT 0,
  followers INT NOT NULL DEFAULT 0,
  followings INT NOT NULL DEFAULT 0,
  created_at DATETIME,
  updated_at DATETIME,
  is_deleted TINYINT NOT NULL DEFAULT 0,
  refreshed_at DATETIME
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE collections (
  id BIGINT NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  public TINYINT NOT NULL DEFAULT 1,
  UNIQUE KEY (name)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE collection_items (
  id BIGINT NOT NULL PRIMARY KEY,
  collection_id BIGINT NOT NULL,
  repo_name VARCHAR(140) NOT NULL,
  repo_id BIGINT NOT NULL,
  last_month_rank INT,
  last_2nd_month_rank INT
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE osdb_repos (
  id BIGINT NOT NULL PRIMARY KEY,
  name VARCHAR(140) NOT NULL,
  group_name VARCHAR(255) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE blacklist_repos (name VARCHAR(140) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE blacklist_users (login VARCHAR(40) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Every day that a date parameter can have, with the Monday of its week and the first day of its month.
CREATE TABLE calendar_days (
  day DATE NOT NULL PRIMARY KEY,
  week DATE NOT NULL,
  month DATE NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Visits of each collection per day, which order the hot collections.
CREATE TABLE collection_visits (
  collection_id BIGINT NOT NULL,
  day DATE NOT NULL,
  visits BIGINT NOT NULL,
  PRIMARY KEY (collection_id, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

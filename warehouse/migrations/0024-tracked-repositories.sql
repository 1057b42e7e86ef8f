-- Repositories that the operator tracks, in addition to those of public collections and of subscriptions (github/tracking/).
CREATE TABLE sys_tracked_repos (
  repo_id BIGINT NOT NULL PRIMARY KEY,
  repo_name VARCHAR(140) NOT NULL,
  added_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- How far a source of GitHub was read for a repository. `next_page` is above 1 while the pages of a whole history are read, and
-- `oldest_day` is the oldest day that these pages have.
CREATE TABLE sys_repo_sources (
  repo_id BIGINT NOT NULL,
  source VARCHAR(32) NOT NULL,
  etag VARCHAR(255),
  next_page INT NOT NULL,
  oldest_day DATE,
  tried_at DATETIME NOT NULL,
  checked_at DATETIME,
  completed_at DATETIME,
  failures INT NOT NULL,
  error VARCHAR(255) NOT NULL,
  PRIMARY KEY (repo_id, source)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
-- GitHub's daily counts of stars, and the repositories whose days are all stored, with their sum.
CREATE TABLE github_star_days (
  repo_id BIGINT NOT NULL,
  day DATE NOT NULL,
  stars INT NOT NULL,
  PRIMARY KEY (repo_id, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
CREATE TABLE github_star_histories (
  repo_id BIGINT NOT NULL PRIMARY KEY,
  counted_on DATE NOT NULL,
  stars BIGINT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

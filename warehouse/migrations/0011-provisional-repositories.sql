-- An event that names a repository without its id gets a provisional id, which is derived from the name, until an event with that name
-- has the real id.

-- The provisional id, also after repo_id became the real id; 0 if the event has an id.
ALTER TABLE github_events ADD COLUMN provisional_repo_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX by_provisional_repo ON github_events (provisional_repo_id);

-- The first and last time at which events with a real id used a name. The name is in lower case.
CREATE TABLE repo_name_uses (
  name VARCHAR(140) NOT NULL,
  repo_id BIGINT NOT NULL,
  first_used_at DATETIME NOT NULL,
  last_used_at DATETIME NOT NULL,
  PRIMARY KEY (name, repo_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Facts about repositories by the id in their events: one row per provisional id, and one per real id that received events of a
-- provisional id. target_id: the repository in github_repos to which the row belongs. Other columns are those of github_repos.
CREATE TABLE repo_sources (
  repo_id BIGINT NOT NULL PRIMARY KEY,
  target_id BIGINT NOT NULL,
  repo_name VARCHAR(140) NOT NULL DEFAULT '',
  description VARCHAR(512) NOT NULL DEFAULT '',
  primary_language VARCHAR(32) NOT NULL DEFAULT '',
  license VARCHAR(32) NOT NULL DEFAULT '',
  size BIGINT NOT NULL DEFAULT 0,
  stars INT NOT NULL DEFAULT 0,
  forks INT NOT NULL DEFAULT 0,
  parent_repo_id BIGINT,
  is_fork TINYINT NOT NULL DEFAULT 0,
  is_archived TINYINT NOT NULL DEFAULT 0,
  latest_released_at DATETIME,
  pushed_at DATETIME,
  created_at DATETIME,
  last_event_at DATETIME,
  refreshed_at DATETIME,
  KEY by_target (target_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

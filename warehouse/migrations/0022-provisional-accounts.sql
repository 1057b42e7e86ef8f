-- An event that names an account without its id gets a provisional id, which is derived from the login, until an event with that login
-- has the real id. This is the same as for repositories (version 11).

-- The provisional id, also after actor_id became the real id; 0 if the event has an id.
ALTER TABLE github_events ADD COLUMN provisional_actor_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX by_provisional_actor ON github_events (provisional_actor_id);

-- The first and last time at which events had a login with a real id. The name is the login in lower case.
CREATE TABLE user_name_uses (
  name VARCHAR(40) NOT NULL,
  user_id BIGINT NOT NULL,
  first_used_at DATETIME NOT NULL,
  last_used_at DATETIME NOT NULL,
  PRIMARY KEY (name, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Facts about accounts by the id in their events: one row per provisional id, and one per real id that received events of a
-- provisional id. target_id: the account in github_users to which the row belongs. Other columns are those of github_users.
CREATE TABLE user_sources (
  id BIGINT NOT NULL PRIMARY KEY,
  target_id BIGINT NOT NULL,
  login VARCHAR(40) NOT NULL DEFAULT '',
  type VARCHAR(12) NOT NULL DEFAULT 'N/A',
  name VARCHAR(255) NOT NULL DEFAULT '',
  email VARCHAR(255) NOT NULL DEFAULT '',
  organization VARCHAR(255) NOT NULL DEFAULT '',
  address VARCHAR(255) NOT NULL DEFAULT '',
  updated_at DATETIME,
  refreshed_at DATETIME,
  KEY by_target (target_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

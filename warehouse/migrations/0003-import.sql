-- The tables of the import.

-- One row per imported file, identified by the SHA-256 of its bytes. times: those of its first and last event.
CREATE TABLE import_files (
  digest CHAR(64) NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  source VARCHAR(2048) NOT NULL,
  bytes BIGINT NOT NULL,
  events BIGINT NOT NULL,
  already_there BIGINT NOT NULL,
  broken BIGINT NOT NULL,
  first_event_at DATETIME,
  last_event_at DATETIME,
  by_type TEXT NOT NULL,
  imported_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Owners in events: the id of an owner's name, and whether it is an organization.
CREATE TABLE repo_owners (
  repo_id BIGINT NOT NULL,
  owner_login VARCHAR(40) NOT NULL,
  owner_id BIGINT NOT NULL,
  owner_is_org TINYINT NOT NULL,
  PRIMARY KEY (repo_id, owner_login)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The names of countries in the locations of users.
CREATE TABLE country_names (
  name VARCHAR(100) NOT NULL PRIMARY KEY,
  country_code CHAR(3) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Rows added to a table since its rows were last sorted.
CREATE TABLE table_order (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  added BIGINT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The state of the service: users, their choices, and the audit log.

-- The last assigned ids, so that no id is assigned twice.
CREATE TABLE sys_counters (
  name VARCHAR(40) NOT NULL PRIMARY KEY,
  value BIGINT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE sys_users (
  id BIGINT NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  email_address VARCHAR(255) NOT NULL,
  email_get_updates TINYINT NOT NULL DEFAULT 0,
  is_trusted TINYINT NOT NULL DEFAULT 0,
  is_disabled TINYINT NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The account of a removed user stays without a user, so that its next request does not create a new user.
CREATE TABLE sys_accounts (
  provider VARCHAR(191) NOT NULL,
  provider_account_id VARCHAR(191) NOT NULL,
  user_id BIGINT,
  login VARCHAR(255) NOT NULL,
  avatar_url VARCHAR(1024) NOT NULL,
  profile_at DATETIME NOT NULL,
  PRIMARY KEY (provider, provider_account_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_user ON sys_accounts (user_id);

CREATE TABLE sys_subscribed_repos (
  user_id BIGINT NOT NULL,
  repo_id BIGINT NOT NULL,
  subscribed TINYINT NOT NULL,
  subscribed_at DATETIME NOT NULL,
  PRIMARY KEY (user_id, repo_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Browser sessions, by a hash of the value of their cookie.
CREATE TABLE sys_sessions (
  id_hash VARCHAR(64) NOT NULL PRIMARY KEY,
  user_id BIGINT,
  data TEXT NOT NULL,
  expires_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_end ON sys_sessions (expires_at);

CREATE TABLE sys_audit_log (
  id VARCHAR(36) NOT NULL PRIMARY KEY,
  happened_at DATETIME NOT NULL,
  actor VARCHAR(255) NOT NULL,
  action VARCHAR(40) NOT NULL,
  subject VARCHAR(255) NOT NULL,
  detail VARCHAR(255) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_time ON sys_audit_log (happened_at);

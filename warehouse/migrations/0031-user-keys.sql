-- API keys of users. Only a hash of each secret is stored.
CREATE TABLE sys_user_keys (
  id VARCHAR(8) NOT NULL PRIMARY KEY,
  user_id BIGINT NOT NULL,
  name VARCHAR(60) NOT NULL,
  sha256 VARCHAR(64) NOT NULL,
  created_at DATETIME NOT NULL,
  expires_at DATETIME NOT NULL,
  last_used_at DATETIME
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_user ON sys_user_keys (user_id);

-- The weekly digest by e-mail of each user who enabled updates. `migrate` adds the users who enabled them earlier (warehouse/seeds.ts).
CREATE TABLE sys_digests (
  user_id BIGINT NOT NULL PRIMARY KEY,
  time_zone VARCHAR(64) NOT NULL,
  due_at DATETIME NOT NULL,
  attempt_at DATETIME NOT NULL,
  attempts INT NOT NULL,
  state VARCHAR(8) NOT NULL,
  sent_at DATETIME,
  undeliverable_since DATETIME
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_attempt ON sys_digests (attempt_at);

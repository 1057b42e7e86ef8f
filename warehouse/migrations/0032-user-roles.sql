-- Roles that operators grant to users, for `role:NAME` in the access of definitions.
CREATE TABLE sys_user_roles (
  user_id BIGINT NOT NULL,
  role VARCHAR(64) NOT NULL,
  PRIMARY KEY (user_id, role)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

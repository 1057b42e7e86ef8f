-- The people of each repository with the facts of their profiles. `migrate` fills the table between the first and the second run of
-- this statement (warehouse/derived/people.ts).
CREATE TABLE IF NOT EXISTS mv_repo_people (
  repo_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  login VARCHAR(40),
  name VARCHAR(255),
  is_bot TINYINT,
  organization_formatted VARCHAR(255),
  country_code CHAR(3),
  PRIMARY KEY (repo_id, user_id),
  KEY by_user (user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The tables of the search by name; their definitions are in warehouse/tables/tables.ts. A name is in every tier whose minimum of stars
-- or followers it has. `name` is in lower case.

-- A repository, by owner/name and by its name without the owner.
CREATE TABLE mv_repo_names (
  tier INT NOT NULL,
  name VARCHAR(140) NOT NULL,
  repo_id BIGINT NOT NULL,
  repo_name VARCHAR(140) NOT NULL,
  stars INT NOT NULL,
  PRIMARY KEY (tier, name, repo_id),
  KEY by_repo (repo_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE mv_user_names (
  is_organization TINYINT NOT NULL,
  tier INT NOT NULL,
  name VARCHAR(40) NOT NULL,
  id BIGINT NOT NULL,
  login VARCHAR(40) NOT NULL,
  followers INT NOT NULL,
  PRIMARY KEY (is_organization, tier, name, id),
  KEY by_id (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

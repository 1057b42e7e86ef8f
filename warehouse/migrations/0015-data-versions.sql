-- The version of the rows of each table: the last commit that changed them, and a random text of this commit. Answers are stored by
-- these versions. Each commit of this program changes the versions of the tables that it wrote.
CREATE TABLE data_versions (
  table_name VARCHAR(64) NOT NULL PRIMARY KEY,
  commit_number BIGINT NOT NULL,
  token VARCHAR(20) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

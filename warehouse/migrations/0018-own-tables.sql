-- The tables that analysts have loaded, with their documentation as JSON (warehouse/own-tables/). The rows of such a table are in a
-- table of the same name, whose columns are those of the documentation.
CREATE TABLE sys_own_tables (
  table_name VARCHAR(64) NOT NULL PRIMARY KEY,
  document MEDIUMTEXT NOT NULL,
  row_count BIGINT NOT NULL,
  loaded_at DATETIME NOT NULL,
  source VARCHAR(255) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

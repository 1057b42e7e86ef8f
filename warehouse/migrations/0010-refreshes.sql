-- When the tables that depend on the clock were computed last, also if they have no rows.
CREATE TABLE table_refreshes (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  refreshed_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The time of the last refresh of tables that depend on the clock, also if they have no rows.
CREATE TABLE table_refreshes (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  refreshed_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The hour from which the archive is followed (warehouse/import/follow/): one row, or none before the first start.
CREATE TABLE sys_archive_follow (
  id INT NOT NULL PRIMARY KEY,
  from_hour DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

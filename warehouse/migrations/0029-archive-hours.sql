-- The hours for which one of several archives has nothing: it does not have them, or its file is that of another archive.
CREATE TABLE sys_archive_hours (
  archive VARCHAR(255) NOT NULL,
  hour DATETIME NOT NULL,
  PRIMARY KEY (archive, hour)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

#!/bin/sh
# Creates the database and its two accounts (docs/deployment.md, "With a database server"). The image of MariaDB runs this
# file; tidb.yaml runs it with the client of that image.
set -eu

${CLIENT:-mariadb -uroot -p"$MARIADB_ROOT_PASSWORD"} <<SQL
CREATE DATABASE IF NOT EXISTS insight CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'insight_reader'@'%' IDENTIFIED BY '$READER_PASSWORD';
GRANT SELECT, SHOW VIEW ON insight.* TO 'insight_reader'@'%';
CREATE USER IF NOT EXISTS 'insight_writer'@'%' IDENTIFIED BY '$WRITER_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, CREATE TEMPORARY TABLES ON insight.* TO 'insight_writer'@'%';
SQL

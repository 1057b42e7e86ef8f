import { DUCKDB_DIALECT } from '../engine/databases/duckdb/dialect.js';
import { MYSQL_DIALECT } from '../engine/databases/mysql/dialect.js';
import type { Dialect } from '../engine/index.js';
import { type DatabaseLocation, databaseFile } from './settings/database-location.js';

/** Returns the SQL dialect of the database of the settings. The database need not be open. */
export function dialectOf(settings: DatabaseLocation): Dialect {
  return databaseFile(settings) === undefined ? MYSQL_DIALECT : DUCKDB_DIALECT;
}

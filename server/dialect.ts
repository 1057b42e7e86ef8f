import { DUCKDB_DIALECT } from '../engine/databases/duckdb/dialect.js';
import { MYSQL_DIALECT } from '../engine/databases/mysql/dialect.js';
import type { Dialect } from '../engine/index.js';
import { type DatabaseLocation, databaseFile } from './settings/database-location.js';

/** Returns the SQL dialect of the database of the settings. The function does not open the database. */
export function dialectOf(settings: DatabaseLocation): Dialect {
  const isServer = databaseFile(settings) === undefined && settings.databaseUrl !== undefined;
  return isServer ? MYSQL_DIALECT : DUCKDB_DIALECT;
}

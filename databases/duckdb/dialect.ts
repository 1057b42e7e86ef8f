import type { Dialect } from '../../engine/index.js';
import { translate } from '../../sql/duckdb/translate.js';

/**
 * The dialect of the embedded database. It checks which SQL the database can run, and does not need an open database.
 */
export const DUCKDB_DIALECT: Dialect = { name: 'duckdb', prepare: (sql) => ({ sql: translate(sql) }) };

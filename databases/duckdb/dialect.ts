import type { Dialect } from '../../engine/index.js';
import { translate } from '../../sql/duckdb/translate.js';

/** The SQL that the embedded database can run, known without opening it. */
export const DUCKDB_DIALECT: Dialect = { name: 'duckdb', prepare: (sql) => ({ sql: translate(sql) }) };

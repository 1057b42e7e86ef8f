import type { Dialect } from '../../engine/database.js';
import { translate } from './translate.js';

/** The SQL that the embedded database can run, known without opening it. */
export const EMBEDDED: Dialect = { name: 'duckdb', prepare: (sql) => ({ sql: translate(sql) }) };

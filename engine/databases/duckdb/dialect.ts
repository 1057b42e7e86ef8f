import { LRUCache } from 'lru-cache';
import { translate } from '../../sql/duckdb/translate.js';
import type { Dialect } from '../interface/database.js';

/**
 * The dialect of the embedded database. It checks which SQL the database can run, and does not need an open database.
 */
export const DUCKDB_DIALECT: Dialect = { name: 'duckdb', prepare: (sql) => ({ sql: translateOnce(sql) }) };

/** Like `translate`. Imports and hand-written operations send the same texts again and again. */
export function translateOnce(sql: string): string {
  return TRANSLATIONS.memo(sql);
}

/** The size is the number of characters. */
const TRANSLATIONS = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (text, sql) => text.length + sql.length,
  memoMethod: translate,
});

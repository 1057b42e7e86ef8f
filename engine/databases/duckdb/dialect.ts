import { LRUCache } from 'lru-cache';
import { translate } from '../../sql/duckdb/translate.js';
import type { Dialect } from '../interface/database.js';

/**
 * The dialect of the embedded database. It checks whether the database can run an SQL text, without an open database.
 */
export const DUCKDB_DIALECT: Dialect = { name: 'duckdb', prepare: (sql) => ({ sql: translateOnce(sql) }) };

/** Like `translate`, but caches results, because imports and hand-written operations send the same texts repeatedly. */
export function translateOnce(sql: string): string {
  return TRANSLATIONS.memo(sql);
}

/** The cache size is measured in characters. */
const TRANSLATIONS = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (text, sql) => text.length + sql.length,
  memoMethod: translate,
});

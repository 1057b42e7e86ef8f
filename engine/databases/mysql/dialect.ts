import { LRUCache } from 'lru-cache';
import { UntranslatableSqlError } from '../../sql/reading/untranslatable-sql-error.js';
import type { Dialect } from '../interface/database.js';
import type { Flavor } from './connection/flavor.js';
import { Select } from './connection/select.js';

/** The dialect of MySQL servers. It checks whether a server can run an SQL text, without a connection. */
export const MYSQL_DIALECT: Dialect = { name: 'mysql', prepare: (sql) => createSelect(sql, 'mysql') };

/**
 * Returns a SELECT for a server. Throws `UntranslatableSqlError` if the server cannot run the SQL. Results are cached,
 * because hand-written operations send the same texts repeatedly.
 */
export function createSelect(sql: string, flavor: Flavor): Select {
  const key = `${flavor} ${sql}`;
  const known = SELECTS.get(key);
  if (known !== undefined) return known;
  const select = readSelect(sql, flavor);
  SELECTS.set(key, select);
  return select;
}

/** The cache size is measured in characters. */
const SELECTS = new LRUCache<string, Select>({
  maxSize: 4_000_000,
  sizeCalculation: ({ sql }, key) => 2 * sql.length + key.length,
});

function readSelect(sql: string, flavor: Flavor): Select {
  try {
    return new Select(sql, flavor);
  } catch (error) {
    throw new UntranslatableSqlError((error as Error).message);
  }
}

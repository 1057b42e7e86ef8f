import type { Dialect } from '../../engine/index.js';
import { UntranslatableSqlError } from '../../sql/untranslatable-sql-error.js';
import type { Flavor } from './connection/flavor.js';
import { Select } from './connection/select.js';

/** The SQL that a server can run, known without a connection. */
export const MYSQL_DIALECT: Dialect = { name: 'mysql', prepare: (sql) => createSelect(sql, 'mysql') };

/** Throws `UntranslatableSqlError`. */
export function createSelect(sql: string, flavor: Flavor): Select {
  try {
    return new Select(sql, flavor);
  } catch (error) {
    throw new UntranslatableSqlError((error as Error).message);
  }
}

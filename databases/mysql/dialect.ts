import type { Dialect } from '../../engine/index.js';
import { UntranslatableSqlError } from '../../sql/untranslatable-sql-error.js';
import type { Flavor } from './connection/flavor.js';
import { Select } from './connection/select.js';

/** The dialect of MySQL servers. It checks which SQL a server can run, and does not need a connection. */
export const MYSQL_DIALECT: Dialect = { name: 'mysql', prepare: (sql) => createSelect(sql, 'mysql') };

/** Creates a SELECT for a server. Throws `UntranslatableSqlError` if the server cannot run the SQL. */
export function createSelect(sql: string, flavor: Flavor): Select {
  try {
    return new Select(sql, flavor);
  } catch (error) {
    throw new UntranslatableSqlError((error as Error).message);
  }
}

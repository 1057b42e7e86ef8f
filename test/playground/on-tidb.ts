import { itExceptOnTidb } from '../services/server.js';

const TEXT_OF_DOUBLES = 'it writes a DOUBLE of 1e15 or more without an exponent';
const LAST_DIGITS = 'the last digits of a DOUBLE differ';
const WRITTEN_NAMES = 'it names an output as the query writes the column';
const ZERO_DATES = 'it keeps dates with a zero part';

/** Queries in other lists for which TiDB returns a different answer, with the difference. docs/sql-dialect.md lists these differences. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'SELECT TAN(1.5707963267948966)': LAST_DIGITS,
  "SELECT CONCAT(1e20, ' ', 1e15, ' ', 1e14, ' ', 123456789.123e0, ' ', 0.1e0)": TEXT_OF_DOUBLES,
  'SELECT CAST(TRUE AS CHAR), CAST(1 = 1 AS CHAR), CAST(1.50 AS CHAR), CAST(1e0 AS CHAR), CAST(1e22 AS CHAR)':
    TEXT_OF_DOUBLES,
  'SELECT COLLECTIONS.ID FROM COLLECTIONS ORDER BY ID LIMIT 1': WRITTEN_NAMES,
  'SELECT NAME, Id FROM collections ORDER BY ID LIMIT 1': WRITTEN_NAMES,
  'SELECT REPO_ID, R.Repo_Name FROM github_repos r ORDER BY Repo_Id LIMIT 3': WRITTEN_NAMES,
  "SELECT DATE('0001-01-01') - INTERVAL 1 DAY": ZERO_DATES,
  'SELECT LAG(id, -1) OVER (ORDER BY id) FROM collections': 'it rejects a negative offset',
  'SELECT id FROM collections ORDER BY -1, id': 'it sorts by the number',
};

/** Defines the test of a query in another list. On TiDB, queries with a known difference are skipped. */
export function itAsks(title: string, sql: string, test: Mocha.AsyncFunc): void {
  const difference = DIFFERENT[sql];
  const whole = `${title}: ${sql.replaceAll(/\s+/g, ' ')}`;
  if (difference === undefined) it(whole, test);
  else itExceptOnTidb(difference, whole, test);
}

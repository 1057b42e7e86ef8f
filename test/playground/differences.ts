/** SQL for which the databases return different answers. docs/sql-dialect.md describes the difference under the name `matter`. */
export interface Difference {
  readonly matter: string;
  readonly sql: string;
  /** The expected rows, or a part of the error message. */
  readonly duckdb: readonly object[] | string;
  readonly mariadb: readonly object[] | string;
}

const AMBIGUOUS = 'the column "id" is ambiguous';
const NO_NUMBER = 'is not a number';

export const DIFFERENCES: readonly Difference[] = [
  {
    matter: 'integers that exceed their type',
    sql: 'SELECT 18446744073709551615 + 1 AS x',
    duckdb: [{ x: '18446744073709551616' }],
    mariadb: 'a number is out of range',
  },
  {
    matter: 'integers that exceed their type',
    sql: 'SELECT 99999999999999999999999999999999999999 * 10 AS x',
    duckdb: 'a number is out of range',
    mariadb: [{ x: '999999999999999999999999999999999999990' }],
  },
  {
    matter: 'integers that exceed their type',
    sql: 'SELECT ROUND(9223372036854775807, -1) AS x',
    duckdb: 'a number is out of range',
    mariadb: [{ x: '9223372036854775810' }],
  },
  {
    matter: 'integers that exceed their type',
    sql: 'SELECT 18446744073709551615 & 1 AS x',
    duckdb: 'out of range',
    mariadb: [{ x: 1 }],
  },
  {
    matter: 'text and a number',
    sql: 'SELECT COUNT(*) > 0 AS x FROM github_users WHERE login = 0',
    duckdb: NO_NUMBER,
    mariadb: [{ x: 1 }],
  },
  {
    matter: 'text and a number',
    sql: "SELECT COUNT(*) AS x FROM github_repos WHERE repo_id IN (-1, 'a')",
    duckdb: NO_NUMBER,
    mariadb: [{ x: 0 }],
  },
  {
    matter: 'text and a number',
    sql: 'SELECT SUM(login) AS x FROM github_users WHERE id < 0',
    duckdb: 'SUM does not accept the type VARCHAR',
    mariadb: [{ x: null }],
  },
  {
    matter: 'text and a number',
    sql: "SELECT DATE('2024-01-01') + INTERVAL 'x' DAY AS x",
    duckdb: NO_NUMBER,
    mariadb: [{ x: '2024-01-01' }],
  },
  {
    matter: 'a date and a number',
    sql: "SELECT DATE('2024-01-01') = 20240101 AS x",
    duckdb: 'a UNION, a comparison or a CAST combines the types',
    mariadb: [{ x: 1 }],
  },
  {
    matter: 'a date and a number',
    sql: "SELECT CAST(DATE('2024-01-01') AS SIGNED) AS x",
    duckdb: 'combines the types DATE and BIGINT',
    mariadb: [{ x: 20240101 }],
  },
  {
    matter: 'text that is a date',
    sql: "SELECT COUNT(*) > 0 AS x FROM github_events WHERE created_at > '2026-02-30'",
    duckdb: "the date '2026-02-30' does not exist",
    mariadb: [{ x: 1 }],
  },
  {
    matter: 'a TIME',
    sql: "SELECT TIME('25:00:00') AS x",
    duckdb: [{ x: null }],
    mariadb: [{ x: '25:00:00' }],
  },
  {
    matter: 'text that is not JSON',
    sql: "SELECT JSON_EXTRACT('x', '$.a') AS x",
    duckdb: 'a text is not JSON',
    mariadb: [{ x: null }],
  },
  {
    matter: 'JSON as text',
    sql: 'SELECT JSON_ARRAY(1, TRUE, 1.50) AS x',
    duckdb: [{ x: '[1, true, 1.5]' }],
    mariadb: [{ x: '[1, true, 1.50]' }],
  },
  {
    matter: '`REGEXP_REPLACE` of an empty pattern',
    sql: "SELECT REGEXP_REPLACE('abc', '', '-') AS x",
    duckdb: [{ x: '-a-b-c-' }],
    mariadb: [{ x: 'abc' }],
  },
  {
    matter: 'the DOUBLE negative zero as text',
    sql: 'SELECT CONCAT(-0e0) AS x',
    duckdb: [{ x: '-0' }],
    mariadb: [{ x: '0' }],
  },
  {
    matter: '`PERIOD_DIFF` of an invalid period',
    sql: 'SELECT PERIOD_DIFF(0, 1) AS x',
    duckdb: [{ x: -1 }],
    mariadb: [{ x: -24000 }],
  },
  {
    matter: 'a key of GROUP BY that is the name of a column and of an output',
    sql: 'SELECT id % 2 AS name FROM collections WHERE id = 1 GROUP BY name',
    duckdb: 'is not grouped',
    mariadb: [{ name: 1 }],
  },
  {
    matter: '`LAG`, `LEAD`, `RANK` and similar without ORDER BY; `LAG`, `ROW_NUMBER` and similar with a frame',
    sql: 'SELECT RANK() OVER () AS x FROM collections WHERE id = 1',
    duckdb: [{ x: 1 }],
    mariadb: "No order list in window specification for 'rank'",
  },
  {
    matter:
      'in the playground: a window and the SELECT are ordered by the same column, and this column is not an output',
    sql: 'SELECT SUM(id) OVER (ORDER BY id) AS s FROM collections WHERE id < 3 ORDER BY id',
    duckdb: [{ s: 1 }, { s: 3 }],
    mariadb: AMBIGUOUS,
  },
];

import { IS_TIDB } from '../../services/server.js';

const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit}${digit === 0 ? ' AS n' : ''}`).join(
  ' UNION ALL ',
);

/** Returns a definition that selects the numbers below `rows` and fails at the number `broken`. There are at most 10^8 rows. */
export function manyRows(name: string, digits: number, limits: string, order = ''): string {
  const tables = Array.from({ length: digits }, (_, place) => `(${DIGITS}) d${place}`).join(' CROSS JOIN ');
  const number = Array.from({ length: digits }, (_, place) => `${10 ** (digits - 1 - place)} * d${place}.n`).join(
    ' + ',
  );
  return `name: ${name}
path: /v1/streams/${name}/
summary: Many rows
params:
  rows: { in: query, type: integer, default: 100000000, description: How many }
  broken: { in: query, type: integer, default: -1, description: The number at which the query fails }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: name, data_type: VARCHAR, nullable: false, description: Text }
  - { col: factor, data_type: DOUBLE, nullable: false, description: Out of range for the broken number }
sql: |
  SELECT x.id AS id, CONCAT('row number ', x.id) AS name, EXP(CASE WHEN x.id = {{ broken }} THEN 1000 ELSE 0 END) AS factor
  FROM (SELECT ${number} AS id FROM ${tables}) x
  WHERE x.id < {{ rows }}${order}
limits: ${limits}
lint: { unstable-pages: The order of the rows does not matter }
`;
}

/**
 * Whether the query must be sorted to fail at its last row. This is necessary on the embedded database and TiDB, which return rows in any
 * order. MariaDB would compute the failing expression before sorting.
 */
export function failsInOrder(database: string): boolean {
  return database === 'duckdb' || IS_TIDB;
}

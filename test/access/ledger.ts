import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The rows of two tables of a bank with two tenants. The values of the tenant `other` make many expressions fail. */
const LEDGER = [
  [1, 'acme', 'north', 10, '{"a":1}'],
  [2, 'acme', 'south', 20, '{"a":2}'],
  [3, 'acme', 'south', 20, 'null'],
  [4, 'other', 'north', 9_223_372_036_854_775_000n, 'TOPSECRET'],
  [5, 'other', 'hidden', 50, '{"a":'],
] as const;
const CLERKS = [
  [1, 'Ada', 'acme'],
  [2, 'Bo', 'other'],
  [4, 'Cy', 'acme'],
] as const;
const BRANCHES = [
  ['north', 'TOPSECRET'],
  ['south', 'null'],
  ['hidden', 'x'],
] as const;

export type Tenant = 'acme' | 'other';

type Rows = readonly (readonly (string | number | bigint)[])[];

/** The tables of the bank with the rows of these tenants. `branches` has the same rows for all of them. */
function tablesOf(
  tenants: readonly Tenant[],
): Readonly<Record<string, { readonly columns: string; readonly rows: Rows }>> {
  const isOf = (tenant: string) => tenants.some((one) => one === tenant);
  return {
    ledger: { columns: 'id,tenant,branch,amount,note', rows: LEDGER.filter(([, tenant]) => isOf(tenant)) },
    clerks: { columns: 'id,name,owner', rows: CLERKS.filter(([, , owner]) => isOf(owner)) },
    branches: { columns: 'code,note', rows: BRANCHES },
  };
}

/** Returns the statements that create the tables on a server. */
export function statementsOf(tenants: readonly Tenant[]): string[] {
  const literalOf = (cell: string | number | bigint) => (typeof cell === 'string' ? `'${cell}'` : `${cell}`);
  return [
    'CREATE TABLE ledger (id BIGINT, tenant VARCHAR(20), branch VARCHAR(20), amount BIGINT, note VARCHAR(40), KEY (branch, amount))',
    'CREATE TABLE clerks (id BIGINT, name VARCHAR(20), owner VARCHAR(20))',
    'CREATE TABLE branches (code VARCHAR(20), note VARCHAR(40))',
    ...Object.entries(tablesOf(tenants)).map(([name, { rows }]) => {
      return `INSERT INTO ${name} VALUES ${rows.map((row) => `(${row.map(literalOf).join()})`).join()}`;
    }),
  ];
}

/** Writes the CSV files of the tables. */
export async function writeFiles(folder: string, tenants: readonly Tenant[]): Promise<void> {
  const cellOf = (cell: string | number | bigint) => `"${String(cell).replaceAll('"', '""')}"`;
  await mkdir(join(folder, 'data'), { recursive: true });
  for (const [name, { columns, rows }] of Object.entries(tablesOf(tenants))) {
    const lines = rows.map((row) => row.map(cellOf).join());
    await writeFile(join(folder, 'data', `${name}.csv`), `${[columns, ...lines].join('\n')}\n`);
  }
}

export const CLAIMS = 'claims:\n  tenant: { type: string, example: acme }\n';
export const PUBLISHED = 'published:\n  ledger: [id, branch, amount, note]\n  clerks: [id, name]\n  branches: "*"\n';
export const FILTERS: Readonly<Record<string, string>> = {
  ledger: 'tenant = {{ caller.claims.tenant }}',
  clerks: 'owner = {{ caller.claims.tenant }}',
};

/** A definition, because a folder needs one. */
export const DEFINITION = `name: one
summary: One
columns: [{ col: code, data_type: VARCHAR, nullable: true, description: C. }]
sql: SELECT code FROM branches ORDER BY code
`;

/**
 * SQL that tries to read rows of another tenant: directly, or from an error that only their values cause. With the rows of one tenant alone,
 * each must have the same outcome.
 */
export const ATTEMPTS: readonly string[] = [
  'SELECT * FROM ledger ORDER BY id',
  'SELECT COUNT(*) AS n, SUM(amount) AS s, MIN(note) AS a, MAX(note) AS z FROM ledger',
  'SELECT l.* FROM `ledger` AS l ORDER BY 1',
  'SELECT id FROM LEDGER ORDER BY id',
  'SELECT id FROM `Ledger` ORDER BY id',
  'SELECT id FROM main.ledger',
  'SELECT id FROM `main`.`ledger`',
  'SELECT id FROM bank.ledger',
  'SELECT tenant FROM ledger',
  'SELECT ledger.tenant FROM ledger',
  "SELECT id FROM ledger WHERE tenant = 'other'",
  "SELECT id FROM ledger WHERE 1 = 1 OR branch = 'hidden' ORDER BY id",
  "SELECT id FROM ledger WHERE NOT (branch = 'x') ORDER BY id",
  "SELECT id FROM ledger WHERE branch = '') OR ('1' = '1'",
  'SELECT id FROM ledger)) AS a -- ',
  'SELECT id FROM ledger WHERE (1 = 1 /* ) OR ( */) ORDER BY id',
  'SELECT id FROM ledger # WHERE\n ORDER BY id',
  'SELECT id FROM ledger -- AS x\n ORDER BY id',
  'SELECT id /*! FROM ledger */',
  'SELECT id FROM /*!50000 ledger */ ORDER BY id',
  'SELECT id FROM /*+ x */ ledger ORDER BY id',
  'SELECT 1; SELECT id FROM ledger',
  'TABLE ledger',
  'SELECT * FROM (TABLE ledger) t',
  'VALUES ROW(1)',
  'SELECT id FROM (ledger) ORDER BY id',
  'SELECT id FROM ledger PARTITION (p0)',
  'SELECT id FROM ledger FOR UPDATE',
  'SELECT id FROM ledger FORCE INDEX (a)',
  'SELECT id FROM ledger TABLESAMPLE (100)',
  "SELECT id FROM ledger INTO OUTFILE 'x'",
  'SELECT id FROM ledger FOR SYSTEM_TIME ALL',
  "SELECT * FROM read_csv('data/ledger.csv')",
  "SELECT * FROM 'data/ledger.csv'",
  'SELECT * FROM information_schema.tables',
  "SELECT * FROM query_table('ledger')",
  'SELECT n FROM (SELECT id AS n FROM ledger) t ORDER BY n',
  'SELECT (SELECT COUNT(*) FROM ledger) AS n',
  'SELECT (SELECT MAX(note) FROM ledger) AS note',
  'SELECT code FROM branches WHERE code IN (SELECT branch FROM ledger) ORDER BY code',
  'SELECT code FROM branches b WHERE EXISTS (SELECT 1 FROM ledger l WHERE l.branch = b.code) ORDER BY code',
  'SELECT code FROM branches b WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE branch = b.code) ORDER BY code',
  'SELECT code, (SELECT COUNT(*) FROM ledger WHERE branch = code) AS n FROM branches ORDER BY code',
  'SELECT code, (SELECT SUM(l.amount) FROM ledger AS l JOIN clerks c ON c.id = l.id WHERE l.branch = code) AS n FROM branches ORDER BY code',
  'SELECT id FROM ledger ORDER BY (SELECT COUNT(*) FROM ledger), id',
  'SELECT branch FROM ledger GROUP BY branch HAVING COUNT(*) <= (SELECT COUNT(*) FROM ledger) ORDER BY branch',
  'SELECT branch, COUNT(*) AS n FROM ledger GROUP BY branch WITH ROLLUP',
  'SELECT GROUP_CONCAT(note ORDER BY id) AS notes FROM ledger',
  'SELECT JSON_ARRAYAGG(id) AS ids FROM ledger',
  'WITH x AS (SELECT * FROM ledger) SELECT id FROM x ORDER BY id',
  'WITH x AS (SELECT * FROM ledger), y AS (SELECT * FROM x) SELECT COUNT(*) AS n FROM x JOIN y ON x.id = y.id',
  'WITH x (a, b) AS (SELECT id, note FROM ledger) SELECT a FROM x ORDER BY a',
  'WITH ledger AS (SELECT 9 AS id) SELECT id FROM ledger',
  'WITH Ledger AS (SELECT * FROM branches) SELECT * FROM ledger',
  'WITH `ledger_1` AS (SELECT * FROM ledger) SELECT id FROM ledger_1 ORDER BY id',
  'WITH with_1 AS (SELECT * FROM ledger) SELECT id FROM with_1 ORDER BY id',
  'WITH RECURSIVE x AS (SELECT id FROM ledger UNION ALL SELECT id FROM ledger) SELECT id FROM x',
  'SELECT id FROM (WITH x AS (SELECT id FROM ledger) SELECT id FROM x) t ORDER BY id',
  'SELECT COUNT(*) AS n FROM ledger AS branches JOIN branches AS ledger ON ledger.code = branches.branch',
  'SELECT clerks.id FROM ledger AS clerks ORDER BY 1',
  'SELECT ledger FROM ledger',
  'SELECT ledger.id AS ledger FROM ledger ORDER BY ledger',
  'SELECT id FROM ledger UNION SELECT id FROM clerks ORDER BY id',
  'SELECT id FROM ledger UNION ALL SELECT id FROM ledger ORDER BY id',
  'SELECT code FROM branches EXCEPT SELECT branch FROM ledger',
  'SELECT code FROM branches INTERSECT SELECT branch FROM ledger ORDER BY 1',
  '(SELECT id FROM ledger) UNION (SELECT 0) ORDER BY id',
  'SELECT a.id, b.id AS other FROM ledger a JOIN ledger b ON b.branch = a.branch ORDER BY 1, 2',
  'SELECT a.id, c.name FROM ledger a LEFT JOIN clerks c ON c.id = a.id ORDER BY a.id',
  'SELECT a.id, c.name FROM ledger a RIGHT JOIN clerks c ON c.id = a.id ORDER BY c.name',
  'SELECT c.name, l.note FROM clerks c CROSS JOIN ledger l ORDER BY 1, 2',
  'SELECT id, name FROM ledger NATURAL JOIN clerks ORDER BY id',
  'SELECT id, name FROM ledger JOIN clerks USING (id) ORDER BY id',
  'SELECT c.name, l.id FROM clerks c, ledger l ORDER BY 1, 2',
  'SELECT b.code, l.id FROM branches b LEFT JOIN (ledger l JOIN clerks c ON c.id = l.id) ON l.branch = b.code ORDER BY 1, 2',
  'SELECT b.code, t.id FROM branches b, LATERAL (SELECT id FROM ledger WHERE branch = b.code) t ORDER BY 1, 2',
  'SELECT id, COUNT(*) OVER () AS n, RANK() OVER (ORDER BY amount) AS place FROM ledger ORDER BY id',
  'SELECT id, SUM(amount) OVER (PARTITION BY branch ORDER BY id) AS s, LEAD(note) OVER (ORDER BY id) AS next FROM ledger ORDER BY id',
  'SELECT id FROM ledger LIMIT 10 OFFSET 3',
  'SELECT :p1 AS x FROM ledger',
  'SELECT ? AS x FROM ledger',
  'SELECT :tenant AS x FROM ledger',
  'SELECT @p1 AS x FROM ledger',
  'SELECT $1 AS x FROM ledger',
  'SELECT {{ caller.claims.tenant }} AS x FROM ledger',
  "SELECT id FROM ledger WHERE JSON_EXTRACT(note, '$.a') = 1",
  "SELECT JSON_EXTRACT(note, '$.a') AS a FROM ledger ORDER BY id",
  "SELECT id FROM ledger ORDER BY JSON_EXTRACT(note, '$.a'), id",
  "SELECT COUNT(*) AS n FROM ledger GROUP BY JSON_EXTRACT(note, '$.a') ORDER BY 1",
  "SELECT MAX(JSON_EXTRACT(note, '$.a')) AS a FROM ledger",
  "SELECT l.id FROM ledger l JOIN clerks c ON JSON_EXTRACT(l.note, '$.a') = c.id ORDER BY 1",
  "SELECT c.id FROM clerks c WHERE c.id IN (SELECT JSON_EXTRACT(note, '$.a') FROM ledger) ORDER BY 1",
  "SELECT l.id FROM ledger l JOIN branches b ON b.code = l.branch WHERE JSON_EXTRACT(l.note, '$.a') = 2 ORDER BY 1",
  "SELECT id FROM (SELECT id, note FROM ledger) t WHERE JSON_EXTRACT(note, '$.a') = 1",
  "WITH x AS (SELECT * FROM ledger) SELECT a.id FROM x a JOIN x b ON a.id = b.id WHERE JSON_EXTRACT(b.note, '$.a') = 1",
  "SELECT id FROM ledger WHERE JSON_EXTRACT(note, '$.a') = 1 UNION SELECT id FROM ledger WHERE JSON_EXTRACT(note, '$.a') = 2 ORDER BY id",
  "SELECT id FROM ledger WHERE branch = 'hidden' AND JSON_EXTRACT(note, '$.a') = 1",
  'SELECT id FROM ledger WHERE amount + 9223372036854775000 > 0 ORDER BY id',
  'SELECT id FROM ledger WHERE amount * 9007199254740993 > 0 ORDER BY id',
  'SELECT id FROM ledger WHERE amount * 1000 > 0 ORDER BY id',
  "SELECT id FROM ledger WHERE branch = 'north' AND amount * 1000 > 0 ORDER BY id",
  "SELECT note FROM ledger WHERE branch IN ('north', 'hidden') AND amount * 1000 > 0 ORDER BY id",
  'SELECT b.code, l.id FROM branches b LEFT JOIN ledger l ON l.amount * 1000 > 0 ORDER BY 1, 2',
  'SELECT b.code, l.id FROM branches b JOIN ledger l ON l.amount * 1000 > LENGTH(b.code) ORDER BY 1, 2',
  'SELECT l.id, c.id AS clerk FROM ledger l LEFT JOIN clerks c ON l.amount * 1000 > c.id ORDER BY 1, 2',
  'SELECT b.code FROM branches b WHERE EXISTS (SELECT 1 FROM ledger l WHERE l.amount * 1000 > LENGTH(b.code)) ORDER BY 1',
  'SELECT b.code FROM branches b WHERE 7 IN (SELECT l.amount * 1000 FROM ledger l) ORDER BY 1',
  'SELECT b.code FROM branches b WHERE 20000 NOT IN (SELECT l.amount * 1000 FROM ledger l WHERE l.branch = b.code) ORDER BY 1',
  'SELECT MAX(amount * 1000) AS m, COUNT(DISTINCT amount * 1000) AS n FROM ledger',
  'SELECT SUM(amount * 1000) OVER (ORDER BY id) AS s FROM ledger ORDER BY 1',
  'SELECT amount * 1000 AS x FROM ledger GROUP BY amount * 1000 HAVING x > 0 ORDER BY x',
  "SELECT l.id FROM ledger l JOIN clerks c USING (id) WHERE l.amount * 1000 > 0 AND c.name <> '' ORDER BY 1",
  'SELECT id FROM ledger WHERE EXP(amount) > 0 ORDER BY id',
  'SELECT id FROM ledger WHERE POW(amount, 40) > 0 ORDER BY id',
  "SELECT id FROM ledger WHERE CASE WHEN note = 'TOPSECRET' THEN amount * amount ELSE 1 END > 0 ORDER BY id",
  'SELECT id FROM ledger WHERE id = (SELECT id FROM ledger WHERE amount > 20)',
  "SELECT id FROM ledger WHERE '1' REGEXP note ORDER BY id",
  'SHOW TABLES',
  'SHOW COLUMNS FROM ledger',
  'DESCRIBE ledger',
  'DESC clerks',
  'SHOW CREATE TABLE ledger',
  'EXPLAIN SELECT id FROM ledger',
];

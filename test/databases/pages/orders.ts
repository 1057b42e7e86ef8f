/** The table of the tests. Only `id` is unique; all other columns have repeated values and NULL. */
export const TABLE = `CREATE TABLE things (
  id BIGINT NOT NULL PRIMARY KEY, big BIGINT, name VARCHAR(40), amount DECIMAL(30,4), x DOUBLE, at DATETIME(6), day DATE,
  flag TINYINT
)`;

const COLUMNS = ['id', 'big', 'name', 'amount', 'x', 'at', 'day', 'flag'];

const TYPES: Readonly<Record<string, string>> = {
  id: 'BIGINT',
  big: 'BIGINT',
  name: 'VARCHAR',
  amount: 'DECIMAL',
  x: 'DOUBLE',
  at: 'DATETIME',
  day: 'DATE',
  flag: 'TINYINT',
};

/** ORDER BY clauses of `SELECT t.id, … FROM things t`. */
const ORDERS: readonly string[] = [
  'id',
  'id DESC',
  't.big, t.id',
  'big DESC, id',
  'name, id DESC',
  't.name DESC, big, id',
  'amount, id',
  'amount DESC, id DESC',
  'x, id',
  'x DESC, name, id',
  'at, id',
  'at DESC, id',
  'day DESC, flag, id',
  'day, at DESC, id',
  '2 DESC, 1',
  't.at IS NULL, t.at, id',
  'at IS NULL DESC, at DESC, id',
  "COALESCE(name, '') DESC, id",
  'flag * 2 + t.flag DESC, t.id',
  'amount * 3 DESC, id',
  'CASE WHEN flag = {{ flag }} THEN 0 ELSE 1 END, name, id',
  'LENGTH(name), name DESC, id',
];

/** The definitions whose pages are read in every test. */
export const DEFINITIONS: readonly string[] = [
  ...ORDERS.map((order, index) => {
    const where = index % 3 === 0 ? '' : 'WHERE t.flag IS NULL OR t.flag <> {{ flag }} -- all the others';
    return defineQuery(
      `SELECT ${COLUMNS.map((name) => `t.${name}`).join(', ')}\nFROM things t\n${where}\nORDER BY ${order}`,
    );
  }),
  defineQuery(
    'SELECT name, COUNT(*) AS n, SUM(amount) AS total FROM things GROUP BY name ORDER BY COUNT(*) DESC, name',
    [
      ['name', 'VARCHAR'],
      ['n', 'BIGINT'],
      ['total', 'DECIMAL'],
    ],
  ),
  defineQuery(
    'SELECT name, COUNT(*) AS n, SUM(amount) AS total FROM things GROUP BY name HAVING n > 1 ORDER BY total DESC, MIN(at), name',
    [
      ['name', 'VARCHAR'],
      ['n', 'BIGINT'],
      ['total', 'DECIMAL'],
    ],
  ),
  defineQuery('SELECT DISTINCT flag, day FROM things ORDER BY day DESC, flag', [
    ['flag', 'TINYINT'],
    ['day', 'DATE'],
  ]),
  defineQuery(
    'WITH named AS (SELECT id, name FROM things WHERE name IS NOT NULL)\nSELECT n.id, n.name AS `order` FROM named n ORDER BY `order`, id;',
    [
      ['id', 'BIGINT'],
      ['order', 'VARCHAR'],
    ],
  ),
  defineQuery('SELECT id, big FROM things UNION ALL SELECT -id, flag FROM things ORDER BY big DESC, id', [
    ['id', 'BIGINT'],
    ['big', 'BIGINT'],
  ]),
  defineQuery(
    'SELECT a.id, b.name FROM things a LEFT JOIN things b ON b.id = a.big ORDER BY b.name DESC, b.amount, a.id',
    [
      ['id', 'BIGINT'],
      ['name', 'VARCHAR'],
    ],
  ),
];

function defineQuery(sql: string, columns = COLUMNS.map((name) => [name, TYPES[name] ?? ''])): string {
  return [
    'name: things',
    'summary: Things',
    ...(sql.includes('{{ flag }}')
      ? ['params: { flag: { in: query, type: integer, default: 1, description: A flag } }']
      : []),
    'pagination: { default: 3, max: 500 }',
    'columns:',
    ...columns.map(([name, type]) => `  - { col: ${name}, data_type: ${type}, nullable: true, description: A value }`),
    'sql: |',
    ...sql.split('\n').map((line) => `  ${line}`),
    '',
  ].join('\n');
}

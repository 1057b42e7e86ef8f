import { expect } from 'chai';
import { translate } from '../../../engine/sql/duckdb/translate.js';
import { readPageQuery } from '../../../engine/sql/paging/page-query.js';
import { toPortableSql } from '../../../engine/sql/portable-sql.js';
import { filterTables } from '../../../engine/sql/row-filter.js';
import { translateForTidb } from '../../../engine/sql/tidb/translate.js';

const CONDITIONS: Readonly<Record<string, string>> = {
  orders: 'tenant_id = :p3',
  order: 'tenant_id = :p3',
  'a`b': 'tenant_id = :p3',
  items: 'EXISTS (SELECT 1 FROM members m WHERE m.tenant = items.tenant_id AND m.name = :p4)',
  broken: '1 = 1) OR (1 = 1',
  commented: 'tenant_id = :p3 -- the tenant',
};

function filter(sql: string): string {
  return filterTables(sql, (table) => CONDITIONS[table]);
}

/** The derived table of `orders`, or of another way to write it. */
function rowsOf(table = 'orders'): string {
  return `(SELECT * FROM ${table} WHERE (tenant_id = :p3))`;
}

const ORDERS = rowsOf();

/** Each row is a SELECT and the expected text. */
const REWRITTEN: readonly (readonly [string, string])[] = [
  ['SELECT id FROM orders o', `SELECT id FROM ${ORDERS} AS o`],
  ['SELECT id FROM orders AS o', `SELECT id FROM ${ORDERS} AS o`],
  ['SELECT orders.id, orders.* FROM orders', `SELECT orders.id, orders.* FROM ${ORDERS} AS orders`],
  ['SELECT id FROM Orders', `SELECT id FROM ${rowsOf('Orders')} AS Orders`],
  ['SELECT id FROM `orders`', `SELECT id FROM ${rowsOf('`orders`')} AS orders`],
  ['SELECT id FROM `ORDERS` AS `a b`', `SELECT id FROM ${rowsOf('`ORDERS`')} AS \`a b\``],
  ['SELECT id FROM shop.order', `SELECT id FROM ${rowsOf('shop.order')} AS \`order\``],
  ['SELECT o.id FROM `shop` . `orders` o', `SELECT o.id FROM ${rowsOf('`shop` . `orders`')} AS o`],
  ['SELECT 1 FROM `a``b`', `SELECT 1 FROM ${rowsOf('`a``b`')} AS \`a\`\`b\``],
  ['SELECT RANK() OVER (ORDER BY id) AS x FROM t', 'SELECT RANK() OVER (ORDER BY id) AS x FROM t'],
  [
    'select 1 # orders\nfrom /* orders */ orders -- o\n o',
    `select 1 # orders\nfrom /* orders */ ${ORDERS} AS -- o\n o`,
  ],
  ["SELECT 'FROM orders', :p1 AS orders FROM t orders;", "SELECT 'FROM orders', :p1 AS orders FROM t orders;"],
  ['SELECT id FROM orders.t', 'SELECT id FROM orders.t'],
  ['SELECT "é 😀" AS x FROM orders', `SELECT "é 😀" AS x FROM ${ORDERS} AS orders`],
  [
    'SELECT 1 FROM orders FORCE INDEX (a, b) WHERE 1',
    'SELECT 1 FROM (SELECT * FROM orders FORCE INDEX (a, b) WHERE (tenant_id = :p3)) AS orders WHERE 1',
  ],
  [
    'SELECT 1 FROM orders PARTITION (p0, p1) AS o USE INDEX FOR JOIN (i) IGNORE KEY (j), t',
    'SELECT 1 FROM (SELECT * FROM orders PARTITION (p0, p1) USE INDEX FOR JOIN (i) IGNORE KEY (j) WHERE (tenant_id = :p3)) AS o, t',
  ],
  ['SELECT /*+ NO_INDEX(o) */ 1 FROM orders o', `SELECT /*+ NO_INDEX(o) */ 1 FROM ${ORDERS} AS o`],
  [
    'SELECT 1 FROM t, orders NATURAL JOIN orders a LEFT JOIN orders b USING (id) RIGHT JOIN orders c ON a.id = c.id',
    `SELECT 1 FROM t, ${ORDERS} AS orders NATURAL JOIN ${ORDERS} AS a LEFT JOIN ${ORDERS} AS b USING (id) RIGHT JOIN ${ORDERS} AS c ON a.id = c.id`,
  ],
  [
    'SELECT 1 FROM t STRAIGHT_JOIN orders a CROSS JOIN ((orders b JOIN (orders c) ON 1)) JOIN t2 JOIN orders d ON 1 ON 2',
    `SELECT 1 FROM t STRAIGHT_JOIN ${ORDERS} AS a CROSS JOIN ((${ORDERS} AS b JOIN (${ORDERS} AS c) ON 1)) JOIN t2 JOIN ${ORDERS} AS d ON 1 ON 2`,
  ],
  [
    'SELECT (SELECT MAX(id) FROM orders) AS x FROM t JOIN u ON EXISTS (SELECT 1 FROM orders) WHERE id IN (SELECT id FROM orders) GROUP BY (SELECT 1 FROM orders) HAVING 1 < ALL (SELECT id FROM orders) ORDER BY (SELECT 2 FROM orders)',
    `SELECT (SELECT MAX(id) FROM ${ORDERS} AS orders) AS x FROM t JOIN u ON EXISTS (SELECT 1 FROM ${ORDERS} AS orders) WHERE id IN (SELECT id FROM ${ORDERS} AS orders) GROUP BY (SELECT 1 FROM ${ORDERS} AS orders) HAVING 1 < ALL (SELECT id FROM ${ORDERS} AS orders) ORDER BY (SELECT 2 FROM ${ORDERS} AS orders)`,
  ],
  [
    'SELECT 1 FROM t JOIN LATERAL (SELECT id FROM orders WHERE orders.id = t.id) l',
    `SELECT 1 FROM t JOIN LATERAL (SELECT id FROM ${ORDERS} AS orders WHERE orders.id = t.id) l`,
  ],
  [
    "SELECT 1 FROM orders o, JSON_TABLE(o.x, '$[*]' COLUMNS (a INT PATH '$')) j",
    `SELECT 1 FROM ${ORDERS} AS o, JSON_TABLE(o.x, '$[*]' COLUMNS (a INT PATH '$')) j`,
  ],
  [
    'SELECT id FROM orders UNION (SELECT id FROM t INTERSECT SELECT id FROM orders) EXCEPT SELECT id FROM orders LIMIT 2, 1',
    `SELECT id FROM ${ORDERS} AS orders UNION (SELECT id FROM t INTERSECT SELECT id FROM ${ORDERS} AS orders) EXCEPT SELECT id FROM ${ORDERS} AS orders LIMIT 2, 1`,
  ],
  [
    'SELECT orders, SUM(orders) OVER (PARTITION BY a, orders) FROM (SELECT 1 AS orders) AS orders GROUP BY a, (orders)',
    'SELECT orders, SUM(orders) OVER (PARTITION BY a, orders) FROM (SELECT 1 AS orders) AS orders GROUP BY a, (orders)',
  ],
  ['SELECT items.id FROM items', `SELECT items.id FROM (SELECT * FROM items WHERE (${CONDITIONS.items})) AS items`],
  // The names of WITH queries.
  [
    'WITH orders AS (SELECT * FROM orders WHERE x) SELECT * FROM orders',
    `WITH orders AS (SELECT * FROM ${ORDERS} AS orders WHERE x) SELECT * FROM orders`,
  ],
  [
    'WITH a AS (SELECT * FROM orders), orders AS (SELECT * FROM a), b AS (SELECT * FROM orders) SELECT * FROM b, orders',
    `WITH a AS (SELECT * FROM ${ORDERS} AS orders), orders AS (SELECT * FROM a), b AS (SELECT * FROM orders) SELECT * FROM b, orders`,
  ],
  [
    'WITH orders AS (SELECT 1 AS id) SELECT * FROM shop.orders AS o, orders',
    `WITH orders AS (SELECT 1 AS id) SELECT * FROM ${rowsOf('shop.orders')} AS o, orders`,
  ],
  [
    'SELECT (WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) AS x FROM orders',
    `SELECT (WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) AS x FROM ${ORDERS} AS orders`,
  ],
  [
    'WITH orders AS (SELECT 1 AS id) SELECT id FROM orders UNION SELECT id FROM (SELECT id FROM orders WHERE id IN (SELECT id FROM orders)) x',
    'WITH orders AS (SELECT 1 AS id) SELECT id FROM orders UNION SELECT id FROM (SELECT id FROM orders WHERE id IN (SELECT id FROM orders)) x',
  ],
  [
    '(WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) UNION SELECT id FROM orders',
    `(WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) UNION SELECT id FROM ${ORDERS} AS orders`,
  ],
  [
    'SELECT x FROM t WHERE a = (WITH orders AS (SELECT 1 AS id) (SELECT id FROM orders)) UNION SELECT id FROM orders',
    `SELECT x FROM t WHERE a = (WITH orders AS (SELECT 1 AS id) (SELECT id FROM orders)) UNION SELECT id FROM ${ORDERS} AS orders`,
  ],
  [
    '(WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) ORDER BY (SELECT MAX(id) FROM orders)',
    `(WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) ORDER BY (SELECT MAX(id) FROM ${ORDERS} AS orders)`,
  ],
  [
    'WITH a AS (WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) SELECT id FROM a, orders',
    `WITH a AS (WITH orders AS (SELECT 1 AS id) SELECT id FROM orders) SELECT id FROM a, ${ORDERS} AS orders`,
  ],
  [
    'WITH RECURSIVE orders AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM orders WHERE id < 3) SELECT id FROM orders',
    'WITH RECURSIVE orders AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM orders WHERE id < 3) SELECT id FROM orders',
  ],
  [
    'WITH RECURSIVE n AS (SELECT MIN(id) AS id FROM orders UNION ALL SELECT n.id + 1 FROM n JOIN orders USING (id)) SELECT id FROM n',
    `WITH RECURSIVE n AS (SELECT MIN(id) AS id FROM ${ORDERS} AS orders UNION ALL SELECT n.id + 1 FROM n JOIN ${ORDERS} AS orders USING (id)) SELECT id FROM n`,
  ],
  // The names of columns stay.
  [
    'SELECT (SELECT COUNT(*) FROM orders), COUNT(orders.id) FROM orders',
    `SELECT (SELECT COUNT(*) FROM ${ORDERS} AS orders) AS \`(SELECT COUNT(*) FROM orders)\`, COUNT(orders.id) FROM ${ORDERS} AS orders`,
  ],
  ['SELECT 1 IN (SELECT COUNT(*) FROM orders) AS x', `SELECT 1 IN (SELECT COUNT(*) FROM ${ORDERS} AS orders) AS x`],
];

const HIDING = 'orders can be a table or a query of WITH: give the query another name';
const SOURCES =
  'FROM can read tables, joins, derived tables and JSON_TABLE, and only a derived table has an alias after )';
const TABLE = 'write SELECT * FROM instead of TABLE';

/** Each row is a SELECT and the reason why its rows cannot be restricted. */
const REJECTED: readonly (readonly [string, string])[] = [
  ['TABLE orders', 'the SQL is not a SELECT'],
  ['SELECT 1 FROM (TABLE orders) t', TABLE],
  ['WITH t AS (TABLE orders) SELECT 1 FROM t', TABLE],
  [
    'SELECT shop.orders.id FROM shop.orders',
    'a column cannot have a schema before the table orders: write an alias after the table, and use it',
  ],
  [
    'SELECT shop . `orders` . * FROM shop.orders',
    'a column cannot have a schema before the table `orders`: write an alias after the table, and use it',
  ],
  ['SELECT 1 FROM read_rows(orders)', SOURCES],
  ['SELECT 1 FROM (orders) o', SOURCES],
  ['SELECT 1 FROM (orders JOIN t) o', SOURCES],
  ['SELECT 1 FROM (:p1) o', SOURCES],
  ['SELECT 1 FROM orders TABLESAMPLE (10)', 'remove table sample from the table orders'],
  ['SELECT 1 FROM orders FOR SYSTEM_TIME ALL', 'remove system time from the table orders'],
  ['SELECT 1 FROM orders o (a, b)', 'remove column aliases from the table orders'],
  ['SELECT 1 FROM a.shop.orders', 'remove catalog from the table orders'],
  ['WITH Orders AS (SELECT 1 AS id) SELECT id FROM orders', HIDING],
  ['WITH RECURSIVE orders AS (SELECT id FROM orders) SELECT id FROM orders', HIDING],
  ['WITH RECURSIVE orders AS (SELECT id FROM orders UNION ALL SELECT id FROM orders) SELECT id FROM orders', HIDING],
  ['WITH RECURSIVE a AS (SELECT id FROM orders), orders AS (SELECT 1 AS id) SELECT id FROM a', HIDING],
  ['WITH orders AS (SELECT 1 AS id) SELECT 1 IN (WITH a AS (SELECT id FROM orders) SELECT id FROM a) AS x', HIDING],
  [
    'WITH members AS (SELECT 1) SELECT id FROM items',
    'its condition on items reads members: give the query of WITH another name',
  ],
  ['SELECT 1 FROM broken', 'the condition on broken is not one expression'],
  ['SELECT 1 --\u00a0x\nFROM orders', 'databases differ in where the comment --\u00a0x ends'],
  [
    'SELECT /*+ QB_NAME(`*/ 1 AS ` ) */ * FROM orders -- `\n',
    'databases differ in where the comment /*+ QB_NAME(`*/ ends',
  ],
  ['SELECT $$ FROM orders $$', 'a name with $ needs backticks'],
  ['SELECT 1; SELECT 1 FROM orders', 'the SQL has more than one statement: write one SELECT'],
  [
    'SELECT 1 FROM (orders a, orders b)',
    'not SQL: expected ) here, got ","; if joined tables are in parentheses, write JOIN, not a comma, NATURAL or STRAIGHT_JOIN',
  ],
  [`SELECT (SELECT ${'1 + '.repeat(100)} COUNT(*) FROM orders)`, 'a column with a subquery has no name: write AS name'],
];

describe('restricted rows of tables in a SELECT', () => {
  for (const [sql, expected] of REWRITTEN) {
    it(sql, () => {
      expect(filter(sql)).to.equal(expected);
    });
  }

  for (const [sql, reason] of REJECTED) {
    it(`rejects ${sql}`, () => {
      expect(() => filter(sql)).to.throw(Error, `The rows of this SQL cannot be restricted: ${reason}.`);
    });
  }

  it('can be translated for every database, and read in pages', () => {
    const sql = filter('SELECT o.id FROM orders o JOIN items i USING (id) ORDER BY o.amount + 1 DESC, o.id');
    const items = `(SELECT * FROM items WHERE (${CONDITIONS.items})) AS i`;
    const body = `FROM ${ORDERS} AS o JOIN ${items} USING (id)`;
    expect(toPortableSql(sql)).to.equal(sql);
    expect(translateForTidb(sql)).to.equal(sql);
    expect(translate(sql)).to.match(/^SELECT .* FROM \(SELECT \* FROM "?orders"? WHERE .*\$3.*\) AS "?o"? JOIN /s);
    const page = readPageQuery(sql, { columns: ['id'], isExact: () => true, isClock: () => false });
    expect('reason' in page ? page.reason : page.sql).to.equal(
      `SELECT o.id,\n  (o.amount + 1) AS page_key_1 ${body}\nORDER BY o.amount + 1 DESC, o.id`,
    );
  });

  it('rejects SQL and conditions that cannot be read', () => {
    expect(() => filter('SELECT FROM orders WHERE')).to.throw(Error, 'The SQL cannot be read: ');
    expect(() => filter('SELECT 1 FROM commented')).to.throw(Error, 'The SQL cannot be read: not SQL: a ) is missing.');
  });
});

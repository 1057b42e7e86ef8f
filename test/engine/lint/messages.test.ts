import { expect } from 'chai';
import { lintEndpoint } from '../../../engine/authoring/index.js';
import { formatWarning, type TableFacts } from '../../../engine/index.js';
import { definitionOf, endpointOf } from '../fixtures.js';
import { BAKERY_TABLES } from './bakery-tables.js';

/** The bakery with orders, whose status is an ENUM. */
const TABLES: TableFacts = (table) => {
  const status = { type: 'text', isNullable: false, values: ['open', 'baked', 'sold'] } as const;
  const number = { type: 'number', isNullable: false } as const;
  const columns = new Map(Object.entries({ id: number, status }));
  return table === 'orders' ? { columns, keys: [['id']] } : BAKERY_TABLES(table);
};

const MESSAGES: readonly (readonly [sql: string, warning: string])[] = [
  [
    'SELECT AVG(x.weight) AS id FROM (SELECT oven_id, AVG(weight) AS weight FROM loaves GROUP BY oven_id) x',
    '7:14 sql: An average of averages counts a group of one row as much as a group of a thousand rows. Return ' +
      'the SUM and the COUNT of each group, and divide the sum of the sums by the sum of the counts ' +
      '[average-of-averages]',
  ],
  [
    'SELECT l.id FROM loaves l JOIN ovens o ON l.oven_id = l.oven_id ORDER BY l.id, o.id',
    '7:45 sql: Both sides of the comparison are the same column l.oven_id, so it has the same result for ' +
      'every row without NULL. Compare with the column of the other table, and write the alias of its table ' +
      'before it [compared-with-itself]',
  ],
  [
    'SELECT COUNT(*) AS id FROM loaves WHERE parent_id NOT IN (1, NULL)',
    '7:43 sql: NOT IN with NULL in its list is never true. Remove NULL from the list, and add IS NOT NULL if ' +
      'needed [compared-with-null]',
  ],
  [
    "SELECT DATE_FORMAT(baked_at, '%h:%i') AS id FROM loaves ORDER BY loaves.id",
    "7:22 sql: In '%h:%i', %h, %I and %l have the same value in the morning and in the afternoon. Write %H, " +
      'or add %p [doubtful-date-format]',
  ],
  [
    "SELECT DATE_FORMAT(baked_at, '%H:%m') AS id FROM loaves ORDER BY loaves.id",
    "7:22 sql: In '%H:%m', %m is the number of the month and %M is its name, not the minutes. Write %i for " +
      'the minutes [doubtful-date-format]',
  ],
  [
    'SELECT LAST_VALUE(weight) OVER (PARTITION BY kind ORDER BY id) AS id FROM loaves ORDER BY loaves.id',
    '7:21 sql: LAST_VALUE with ORDER BY reads only the rows up to the current row, so it returns the value of ' +
      'the current row. Add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING, or write FIRST_VALUE with ' +
      'the reverse order [last-value-frame]',
  ],
  [
    'SELECT COUNT(*) AS id FROM ovens o LEFT JOIN loaves l ON l.oven_id = o.id GROUP BY o.id ORDER BY o.id',
    '7:22 sql: COUNT(*) is 1 for a group without a row of l, because the LEFT JOIN adds one row for it. Count ' +
      'a column of l that is never NULL, such as COUNT(l.id) [left-join-counted]',
  ],
  [
    'SELECT COUNT(*) AS id FROM (SELECT kind FROM loaves LIMIT 10) x',
    '7:38 sql: LIMIT without ORDER BY returns any rows of the subquery, and other rows in the next request. ' +
      'Add ORDER BY with columns that identify a row before LIMIT [limit-without-order]',
  ],
  [
    "SELECT l.id FROM loaves l, ovens o WHERE l.kind = 'rye' ORDER BY l.id, o.id",
    '7:36 sql: No condition connects o with l, so every row of one is combined with every row of the other. ' +
      'Add the condition to ON, or write CROSS JOIN if all combinations are wanted [missing-join-condition]',
  ],
  [
    'SELECT COUNT(*) AS id FROM loaves WHERE parent_id <> 7',
    '7:43 sql: This condition also removes the rows where parent_id is NULL, because a comparison with NULL ' +
      'is not true. Add OR parent_id IS NULL in parentheses, or AND parent_id IS NOT NULL if these rows are not ' +
      'wanted [null-rows-dropped]',
  ],
  [
    'SELECT COUNT(*) AS id FROM sales WHERE shop_id IN (SELECT shop_id FROM loaves)',
    '7:61 sql: loaves has no column shop_id, so the subquery returns the value of the enclosing query for ' +
      'every row. Name a column of loaves, such as loaves.id [outer-column-in-subquery]',
  ],
  [
    'SELECT SUM(weight) DIV COUNT(*) AS id FROM loaves',
    '7:22 sql: DIV drops the digits after the decimal point of this ratio. Write /, or FLOOR(a / b) if only ' +
      'whole numbers are wanted [truncated-ratio]',
  ],
  [
    'SELECT SUM(pieces) AS id FROM (SELECT pieces FROM sales WHERE shop_id = 1 UNION SELECT pieces FROM sales ' +
      'WHERE shop_id = 2) x',
    '7:14 sql: UNION removes equal rows before pieces is added up, so equal values count once. Write UNION ' +
      'ALL [union-drops-rows]',
  ],
  [
    "SELECT COUNT(*) AS id FROM orders WHERE status = 'backed'",
    `7:43 sql: status never has the value 'backed' (did you mean "baked"?). Compare with one of its values: ` +
      "'open', 'baked', 'sold' [unknown-enum-value]",
  ],
  [
    'SELECT GROUP_CONCAT(kind) AS id FROM loaves',
    '7:23 sql: GROUP_CONCAT without ORDER BY joins the values in any order, so equal requests can return ' +
      'different texts. Write ORDER BY in GROUP_CONCAT [unordered-list]',
  ],
  [
    'SELECT x.id FROM (SELECT id, kind, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY day DESC) AS place FROM ' +
      'loaves) x WHERE x.place = 1 ORDER BY x.id',
    '7:84 sql: Rows can be equal in the ORDER BY of ROW_NUMBER, so equal requests can select different rows. ' +
      'Add columns that identify a row at the end of this ORDER BY, or write RANK() to give equal rows the same ' +
      'number [unstable-row-number]',
  ],
  [
    'SELECT SUM(weight) AS id FROM loaves GROUP BY WEEK(day) ORDER BY WEEK(day)',
    '7:54 sql: The same week of all years is one group. Write YEARWEEK(day, 3), or group by the year, too ' +
      '[week-without-year]',
  ],
  [
    'SELECT COUNT(*) AS id FROM ovens o JOIN loaves l ON l.oven_id = o.id JOIN sales s ON s.shop_id = o.id',
    '7:22 sql: COUNT(*) counts every combination of a row of l and a row of s, because several rows of both ' +
      'can match. Count the rows of each table in a derived table, and join the results [repeated-sum]',
  ],
];

describe('each warning about a silent mistake', () => {
  for (const [sql, warning] of MESSAGES) {
    it(`states its place, what happens and what to write: ${/\[(.*)\]$/.exec(warning)?.[1]}`, async () => {
      const endpoint = await endpointOf(definitionOf(sql, '', 'data_as_of: SELECT MAX(baked_at) FROM loaves'));
      const found = lintEndpoint(endpoint, TABLES).map((one) => formatWarning(one).replace(/^.*?one\.yaml:/, ''));
      expect(found).to.deep.equal([warning]);
    });
  }
});

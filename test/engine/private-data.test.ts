import { join } from 'node:path';
import { expect } from 'chai';
import { formatProblem, loadEndpoints, type PrivateData } from '../../engine/index.js';
import { inFolder } from './fixtures.js';

const PRIVATE: PrivateData = {
  isPrivateTable: (table) => table.startsWith('staff_'),
  columns: { customers: ['email'] },
};

/** Returns the problems of a definition with this SQL, which must return a column `a`. */
const problemsOf = (sql: string) => {
  const lines = sql.split('\n').map((line) => `  ${line}`);
  const definition = `name: list-a
path: /v1/a/
summary: A
columns: [{ col: a, data_type: BIGINT, nullable: true, description: A }]
sql: |
${lines.join('\n')}
`;
  return inFolder({ 'one.yaml': definition }, async (folder) => {
    const { problems } = await loadEndpoints(folder, { privateData: PRIVATE });
    return problems.map((problem) => formatProblem(problem).replace(`${join(folder, 'one.yaml')}:`, ''));
  });
};

describe('a definition that reads private data', () => {
  const tables: readonly (readonly [string, string])[] = [
    ['SELECT a FROM staff_wages', '6:17 sql: the table staff_wages is private: a definition cannot read it'],
    [
      'SELECT w.a FROM shop.staff_wages AS w',
      '6:24 sql: the table staff_wages is private: a definition cannot read it',
    ],
    ['SELECT a FROM x.shop.staff_wages', '6:24 sql: the table staff_wages is private: a definition cannot read it'],
    ['SELECT a FROM `Staff_Wages`', '6:17 sql: the table Staff_Wages is private: a definition cannot read it'],
    ['SELECT a FROM/* c */STAFF_WAGES', '6:23 sql: the table STAFF_WAGES is private: a definition cannot read it'],
    [
      'SELECT a FROM loaves JOIN staff_wages USING (a)',
      '6:29 sql: the table staff_wages is private: a definition cannot read it',
    ],
    ['SELECT a FROM (loaves, staff_wages)', '6:26 sql: the table staff_wages is private: a definition cannot read it'],
    [
      'SELECT (SELECT 1 FROM staff_wages LIMIT 1) AS a',
      '6:25 sql: the table staff_wages is private: a definition cannot read it',
    ],
    [
      'SELECT a FROM loaves WHERE EXISTS (SELECT 1\nFROM staff_wages)',
      '7:8 sql: the table staff_wages is private: a definition cannot read it',
    ],
    [
      'WITH w AS (SELECT a FROM staff_wages) SELECT a FROM w',
      '6:28 sql: the table staff_wages is private: a definition cannot read it',
    ],
    [
      'WITH w AS (SELECT a FROM staff_wages) (SELECT a FROM w) LIMIT 1',
      '6:28 sql: the table staff_wages is private: a definition cannot read it',
    ],
    [
      'SELECT a FROM (WITH w AS (SELECT a FROM staff_wages) (SELECT a FROM w) LIMIT 1) t',
      '6:18 sql: a WITH before a SELECT in parentheses cannot be read: remove the parentheses',
    ],
    [
      'SELECT a FROM loaves UNION ALL SELECT a FROM staff_wages',
      '6:48 sql: the table staff_wages is private: a definition cannot read it',
    ],
    ['SELECT email AS a FROM customers', '6:10 sql: the column email of customers is private: remove it'],
    ['SELECT c.`Email` AS a FROM customers c', '6:12 sql: the column Email of customers is private: remove it'],
    [
      'SELECT t.email AS a FROM loaves t WHERE EXISTS (SELECT 1 FROM customers t WHERE t.a = 1)',
      '6:12 sql: the column email of customers is private: remove it',
    ],
    ['SELECT a FROM customers ORDER BY email', '6:36 sql: the column email of customers is private: remove it'],
    [
      'SELECT t.email AS a FROM (SELECT id, email FROM customers) t',
      '6:12 sql: the column email of customers is private: remove it',
    ],
    [
      'WITH c (a, b) AS (SELECT * FROM customers) SELECT a FROM c',
      '6:28 sql: * reads the private column email of customers: name the columns',
    ],
    [
      'SELECT t.a FROM (SELECT c.* FROM loaves JOIN customers c) t',
      '6:29 sql: * reads the private column email of customers: name the columns',
    ],
    [
      'SELECT CAST(c AS CHAR) AS a FROM customers c',
      '6:15 sql: the table c as a value reads the private column email: name a column',
    ],
    [
      'SELECT b AS a FROM customers AS c (id, b)',
      '6:35 sql: c (…) renames the private column email: rename columns in the select list',
    ],
    [
      'SELECT 1 AS a FROM customers JOIN (SELECT 1 AS b) x USING (email)',
      '6:62 sql: the column email of customers is private: remove it',
    ],
    [
      'SELECT 1 AS a FROM (customers c JOIN suppliers USING (email))',
      '6:57 sql: the column email of customers is private: remove it',
    ],
  ];
  for (const [sql, problem] of tables) {
    it(`is rejected with its place: ${sql.replace('\n', ' ')}`, async () => {
      expect(await problemsOf(sql)).to.deep.equal([problem]);
    });
  }

  const valid = [
    "SELECT a FROM loaves WHERE kind = 'staff_wages' -- staff_wages",
    'SELECT staff_wages AS a FROM loaves',
    'SELECT COUNT(*) AS a FROM customers',
    'SELECT suppliers.email AS a FROM customers JOIN suppliers USING (id)',
    'SELECT email AS a FROM suppliers',
    'SELECT l.* FROM loaves l JOIN customers c ON c.id = l.id',
  ];
  for (const sql of valid) {
    it(`is not confused with public data: ${sql}`, async () => {
      expect(await problemsOf(sql)).to.deep.equal([]);
    });
  }
});

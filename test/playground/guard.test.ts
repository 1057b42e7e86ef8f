import { expect } from 'chai';
import { guardSql as guard } from '../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { ANALYST_QUERIES } from './analyst-queries.js';
import { ATTACKS } from './attacks.js';
import { UNBOUNDED_TEXTS, UNKNOWN_NAMES } from './unsafe-queries.js';

const guardSql = (sql: string, markers: readonly string[] = []) => guard(sql, PUBLIC_TABLES, markers);

describe('the guard of the playground', () => {
  for (const [sql, position, reason] of [...ATTACKS, ...UNKNOWN_NAMES, ...UNBOUNDED_TEXTS]) {
    it(`rejects ${JSON.stringify(sql)}`, () => {
      expect(rejectionOf(sql)).to.deep.equal({ position, reason });
    });
  }

  const large: readonly (readonly [string, string, string])[] = [
    ['10,000 parentheses', `SELECT ${nest('(', '1', ')', 10_000)}`, 'the SQL has 20008 characters'],
    ['33 parentheses', `SELECT ${nest('(', '1', ')', 33)}`, 'parentheses are nested deeper than 32'],
    ['40 nested calls', `SELECT ${nest('ABS(', '1', ')', 40)}`, 'parentheses are nested deeper than 32'],
    ['2,000 NOT', `SELECT ${'NOT '.repeat(2_000)}1`, 'the text is too long or nested too deeply'],
    ['2,000 minus signs', `SELECT ${'- '.repeat(2_000)}1`, 'the text is too long or nested too deeply'],
    ['60 CASE', `SELECT ${nest('CASE WHEN 1 THEN ', '1', ' END', 60)}`, 'the text is too long or nested too deeply'],
    [
      '9 derived tables with aggregates',
      `SELECT COUNT(*) FROM ${nest('(SELECT COUNT(*) FROM ', 'collections', ') AS t', 8)}`,
      'SELECTs with aggregates are nested deeper than 8',
    ],
    [
      '9 tables of WITH with aggregates',
      `WITH w0 AS (SELECT id FROM collections) ${Array.from({ length: 9 }, (_, i) => `, w${i + 1} AS (SELECT MAX(id) AS id FROM w${i})`).join('')} SELECT id FROM w9`,
      'SELECTs with aggregates are nested deeper than 8',
    ],
    [
      '9 subqueries with aggregates',
      `SELECT id FROM collections WHERE id = ${nest('(SELECT MAX(id) FROM collections WHERE id = ', '1', ')', 9)}`,
      'SELECTs with aggregates are nested deeper than 8',
    ],
    ['200 WITH', 'WITH a AS ('.repeat(200), 'parentheses are nested deeper than 32'],
    ['a text of 9,000 characters', `SELECT '${'a'.repeat(9_000)}'`, 'at most 8192 are allowed'],
    ['1,001 values', `SELECT 1 WHERE 1 IN (${Array(1_001).fill('1').join(',')})`, 'IN has 1001 values'],
    ['101 columns', `SELECT ${Array(101).fill('1').join(',')}`, 'the SELECT has 101 columns'],
    [
      '41 tables',
      `SELECT 1 FROM ${Array.from({ length: 41 }, (_, at) => `collections t${at}`).join(' JOIN ')}`,
      'at most 40 tables',
    ],
    ['41 queries', Array(41).fill('SELECT 1').join(' UNION '), 'more than 40 queries'],
    [
      '30 long texts',
      `SELECT ${Array(30).fill('CONCAT(description, description, description, description, description)').join(', ')} FROM github_repos`,
      'may together exceed 65536 characters',
    ],
  ];
  for (const [title, sql, reason] of large) {
    it(`rejects ${title}`, () => {
      expect(rejectionOf(sql).reason).to.include(reason);
    });
  }

  it('reads many nested calls in a time that grows with their number', () => {
    for (const sql of [
      `SELECT ${nest('DATE_ADD(', "'2024-01-01'", ', INTERVAL 1 DAY)', 28)} AS x`,
      `SELECT '2024-01-01'${' + INTERVAL 1 DAY'.repeat(28)} AS x`,
      `SELECT ${nest('NULLIF(', '1', ', 2)', 28)} AS x`,
    ]) {
      expect(guardSql(sql).tables).to.deep.equal([]);
    }
  });

  it('writes a new query over the public part of the tables', () => {
    const { sql, tables } = guardSql('SELECT /*+ hint */ name n FROM collections c -- all\n ORDER BY n LIMIT 3');
    expect(sql).to.equal(
      'SELECT `name` AS `n` FROM (SELECT `id`, `name`, `public` FROM `collections` AS `collections_1` WHERE `public` = 1) AS `c_1` ORDER BY `n` LIMIT 3',
    );
    expect(tables).to.deep.equal(['collections']);
  });

  const negations: readonly (readonly [string, string])[] = [
    ['5 NOT BETWEEN 1 AND 3', '(5 NOT BETWEEN 1 AND 3)'],
    ['1 NOT IN (2)', '(1 NOT IN (2))'],
    ["'a' NOT LIKE 'b'", "(NOT ('a' LIKE 'b'))"],
    ['1 IS NOT NULL', '(1 IS NOT NULL)'],
    ['1 IS NOT TRUE', '(1 IS NOT TRUE)'],
    ['NOT 1', '(NOT 1)'],
    ["'a' NOT REGEXP 'b'", "(NOT ('a' REGEXP 'b'))"],
    ['NOT EXISTS (SELECT 1)', '(NOT EXISTS (SELECT 1 AS `1`))'],
  ];
  for (const [expression, written] of negations) {
    it(`writes ${expression} as ${written}`, () => {
      expect(guardSql(`SELECT ${expression} AS x`).sql).to.equal(`SELECT ${written} AS \`x\` LIMIT 101`);
    });
  }

  it('writes the tables of WITH under generated names', () => {
    const { sql, tables } = guardSql('WITH sys_users AS (SELECT 1 AS one) SELECT b.one FROM sys_users, sys_users AS b');
    expect(sql).to.equal(
      'WITH `with_1` AS (SELECT 1 AS `one`) SELECT `b_1`.`one` FROM `with_1` AS `sys_users_1`, `with_1` AS `b_1` LIMIT 101',
    );
    expect(tables).to.deep.equal([]);
  });

  it('writes every table with a unique alias', () => {
    const written = (sql: string) => guardSql(sql).sql.replace(' LIMIT 101', '');
    expect(written('SELECT C.day FROM calendar_days c WHERE c.day IN (SELECT c.day FROM calendar_days C)')).to.equal(
      'SELECT `c_1`.`day` FROM (SELECT `day`, `week`, `month` FROM `calendar_days` AS `calendar_days_1`) AS `c_1` WHERE ' +
        '(`c_1`.`day` IN (SELECT `c_2`.`day` FROM (SELECT `day`, `week`, `month` FROM `calendar_days` AS `calendar_days_2`) AS `c_2`))',
    );
    expect(written('SELECT t.a FROM (SELECT t.day AS a FROM calendar_days t) t')).to.equal(
      'SELECT `t_2`.`a` FROM (SELECT `t_1`.`day` AS `a` FROM (SELECT `day`, `week`, `month` FROM `calendar_days` AS ' +
        '`calendar_days_1`) AS `t_1`) AS `t_2`',
    );
  });

  it('uses no alias that occurs in the text of the query', () => {
    expect(guardSql('SELECT t.x AS t_1, 2 AS T_2 FROM (SELECT 1 AS x) t').sql).to.equal(
      'SELECT `t_3`.`x` AS `t_1`, 2 AS `T_2` FROM (SELECT 1 AS `x`) AS `t_3` LIMIT 101',
    );
    expect(guardSql('WITH t AS (SELECT 1 AS x) SELECT with_1.x FROM t AS with_1').sql).to.equal(
      'WITH `with_2` AS (SELECT 1 AS `x`) SELECT `with_1_1`.`x` FROM `with_2` AS `with_1_1` LIMIT 101',
    );
  });

  it('lists the columns of `*` if a join merges some of them', () => {
    const sql = 'SELECT * FROM (SELECT 1 AS a, 2 AS b) x JOIN (SELECT 3 AS c, 2 AS b) y USING (b)';
    expect(guardSql(sql).sql).to.equal(
      'SELECT `b`, `x_1`.`a`, `y_1`.`c` FROM (SELECT 1 AS `a`, 2 AS `b`) AS `x_1` JOIN (SELECT 3 AS `c`, 2 AS `b`) AS `y_1` USING (`b`) LIMIT 101',
    );
  });

  it('resolves outer tables in a subquery, but not in a derived table', () => {
    expect(guardSql('SELECT (SELECT COUNT(*) FROM osdb_repos o WHERE o.id = c.id) FROM collections c').sql).to.include(
      'WHERE (`o_1`.`id` = `c_1`.`id`)',
    );
    for (const sql of [
      'SELECT 1 FROM collections c, (SELECT c.id) d',
      'SELECT (SELECT x FROM (SELECT c.id AS x) d) FROM collections c',
      'SELECT (WITH w AS (SELECT c.id AS x) SELECT x FROM w) FROM collections c',
      'SELECT c.id FROM osdb_repos',
    ]) {
      expect(rejectionOf(sql).reason, sql).to.equal('FROM has no table with the name c');
    }
  });

  it('rejects SQL that databases interpret differently', () => {
    const rejected: readonly (readonly [string, number, string])[] = [
      ['SELECT 1 FROM collections, collections', 27, 'two tables of one FROM have the name collections'],
      ['SELECT 1 FROM collections c JOIN osdb_repos C', 44, 'two tables of one FROM have the name C'],
      ['SELECT * FROM (SELECT 1 AS a, 2 AS A) t', 27, 'two columns of a derived table have the name A'],
      [
        'SELECT * FROM (SELECT id, name AS id FROM collections UNION SELECT 1, 2) t',
        22,
        'two columns of a derived table have the name id',
      ],
      ['WITH t AS (SELECT 1, 1) SELECT * FROM t', 18, 'two columns of a derived table have the name 1'],
      ['SELECT * FROM (SELECT 1)', 9, 'a derived table needs a name: write AS name'],
      ["SELECT id FROM collections ORDER BY 'id'", 27, 'a literal text in ORDER BY has no effect; name a column'],
      [
        'SELECT ROW_NUMBER() OVER (ORDER BY "id") FROM collections',
        26,
        'a literal text in ORDER BY has no effect; name a column',
      ],
      ['SELECT 1 AS `😀`', 12, 'the name 😀 contains a character beyond U+FFFF, such as an emoji'],
      ["SELECT 1 AS 'a😀b'", 12, 'the name a😀b contains a character beyond U+FFFF, such as an emoji'],
      ['SELECT 1 FROM collections `😀`', 26, 'the name 😀 contains a character beyond U+FFFF, such as an emoji'],
      ['SELECT 1 AS ``', 12, 'an empty name is not allowed'],
      ['SELECT 1e400', 7, 'the number 1e400 is too large; the maximum of a DOUBLE is 1.7976931348623157e+308'],
      [
        'SELECT id FROM collections WHERE id < -1.8E+308',
        39,
        'the number 1.8E+308 is too large; the maximum of a DOUBLE is 1.7976931348623157e+308',
      ],
      [`SELECT 1.${'0'.repeat(37)}1`, 7, `the number 1.${'0'.repeat(37)}1 has more than 38 digits`],
      [`SELECT ${'9'.repeat(39)}`, 7, `the number ${'9'.repeat(39)} has more than 38 digits`],
      ['SELECT CAST(1 AS FLOAT)', 17, 'CAST(… AS FLOAT) is not allowed; write DOUBLE'],
    ];
    expect(rejected.map(([sql]) => [sql, ...Object.values(rejectionOf(sql))])).to.deep.equal(rejected);
    for (const number of [
      '1.7976931348623157e+308',
      '0'.repeat(60),
      `${'9'.repeat(38)}`,
      '1e-400',
      `00.${'1'.repeat(38)}`,
    ]) {
      expect(guardSql(`SELECT ${number} AS x`).sql).to.equal(`SELECT ${number} AS \`x\` LIMIT 101`);
    }
    expect(guardSql("SELECT '', ' '").sql).to.equal("SELECT '' AS `''`, ' ' AS `' '` LIMIT 101");
    expect(guardSql("SELECT '😀', CHAR_LENGTH('a😀')").sql).to.equal(
      "SELECT '😀' AS `?`, CHAR_LENGTH('a😀') AS `CHAR_LENGTH('a?')` LIMIT 101",
    );
  });

  it('writes a UNION of three SELECTs without nested parentheses', () => {
    expect(guardSql('SELECT x FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION SELECT 3) t').sql).to.equal(
      'SELECT `x` FROM ((SELECT 1 AS `x`) UNION ALL (SELECT 2 AS `2`) UNION (SELECT 3 AS `3`)) AS `t_1` LIMIT 101',
    );
    expect(guardSql('(SELECT 1 UNION ALL SELECT 2 ORDER BY 1 LIMIT 1) UNION SELECT 3').sql).to.equal(
      '((SELECT 1 AS `1`) UNION ALL (SELECT 2 AS `2`) ORDER BY 1 LIMIT 1) UNION (SELECT 3 AS `3`) LIMIT 101',
    );
  });

  it('limits the rows for every LIMIT of the query', () => {
    const limits = ['LIMIT 5', 'LIMIT 101', 'LIMIT 5000', 'LIMIT 20, 5000', ''].map((limit) =>
      guardSql(`SELECT id FROM collections ${limit}`).sql.replace(/^.* AS `collections_2` /, ''),
    );
    expect(limits).to.deep.equal(['LIMIT 5', 'LIMIT 101', 'LIMIT 101', 'LIMIT 101 OFFSET 20', 'LIMIT 101']);
  });

  it('binds only the given markers', () => {
    expect(guardSql('SELECT :repo_id', ['repo_id']).sql).to.equal('SELECT :p1 AS `:repo_id` LIMIT 101');
    expect(() => guardSql('SELECT :user_id', ['repo_id'])).to.throw(
      SqlRejectedError,
      'no value is bound to :user_id; known: :repo_id',
    );
  });

  it('accepts typical queries of analysts', () => {
    const rejected = ANALYST_QUERIES.filter((sql) => {
      try {
        return guardSql(sql).sql === '';
      } catch {
        return true;
      }
    });
    expect(rejected).to.deep.equal([]);
  });
});

function nest(before: string, inside: string, after: string, times: number): string {
  return before.repeat(times) + inside + after.repeat(times);
}

function rejectionOf(sql: string): { position: number; reason: string } {
  try {
    guardSql(sql);
  } catch (error) {
    if (error instanceof SqlRejectedError) return { position: error.position, reason: error.reason };
    throw error;
  }
  throw new Error(`The guard accepted this SQL: ${sql.slice(0, 200)}`);
}

import { expect } from 'chai';
import { RESERVED_WORDS } from '../../engine/sql/reading/reserved-words.js';
import { createSqlReader } from '../../engine/sql/reading/sql-reader.js';

const read = createSqlReader();

/** Returns the errors for a text, each with the word at its position and its message. */
function rejectionsOf(sql: string): (readonly [string, string])[] {
  const reading = read(sql);
  if ('message' in reading) return [['not SQL', reading.message]];
  return reading.findings.rejections.map(({ at = 0, message }) => [sql.slice(at).split(/[\s,.)]/)[0] ?? '', message]);
}

const reserved = (word: string) => [word, `${word} is a reserved word of MySQL, MariaDB or TiDB: write \`${word}\``];

describe('reserved words', () => {
  const NAMES: readonly (readonly [string, string])[] = [
    ['SELECT RANK() OVER (ORDER BY a) AS rank FROM t', 'rank'],
    ['SELECT RANK() OVER (ORDER BY a) rank FROM t ORDER BY rank', 'rank'],
    ['SELECT COUNT(*) AS `rank`, groups FROM t', 'groups'],
    ['SELECT rows.a FROM t AS rows', 'rows'],
    ['SELECT 1 AS a FROM system', 'system'],
    ['SELECT 1 AS a FROM t `groups` WHERE groups.b = 1 AND usage > 2', 'usage'],
    ['WITH recursive_t AS (SELECT 1 AS a), row AS (SELECT 2 AS a) SELECT a FROM `row`', 'row'],
    ['WITH x (a, lead) AS (SELECT 1, 2) SELECT a FROM x', 'lead'],
    ['SELECT t.a FROM t JOIN u USING (manual)', 'manual'],
    ['SELECT d.a FROM (SELECT 1 AS a, 2 AS until) AS d', 'until'],
    ["SELECT '😀' AS a, 1 AS offset", 'offset'],
    ['SELECT LEFT(a, 1) AS Key FROM t', 'Key'],
  ];
  for (const [sql, word] of NAMES) {
    it(`are rejected as names, once and at the first use: ${sql}`, () => {
      expect(rejectionsOf(sql)).to.deep.equal([reserved(word)]);
    });
  }

  const FREE = [
    'SELECT t.rank, rows.a, s.groups.b FROM s.groups AS g JOIN t JOIN u `rows`',
    'SELECT rows.* FROM t AS `rows`',
    'SELECT RANK() OVER w AS r, LAG(a) OVER w AS l, MOD(a, 2) AS m, LEFT(b, 1) AS k, REPEAT(b, 2) AS p FROM t WINDOW w AS (ORDER BY a)',
    'SELECT CONVERT(a, UNSIGNED) AS u, CAST(a AS BINARY) AS b, EXTRACT(YEAR_MONTH FROM c) AS y, IF(a, 1, 2) AS i FROM t',
    "SELECT TRUE AS t, FALSE AS f, NULL AS n, 'rank' AS x, DATE_ADD(c, INTERVAL 1 DAY) AS d FROM t",
    'SELECT `rank` AS `groups` FROM `system` -- rank',
    'SELECT a AS name, b AS date, c AS type, d AS status, e AS year, f AS value, g AS count FROM t',
  ];
  for (const sql of FREE) {
    it(`are allowed as functions, in backticks, in text and next to a dot: ${sql}`, () => {
      expect(rejectionsOf(sql)).to.deep.equal([]);
    });
  }

  it('are in upper case', () => {
    expect([...RESERVED_WORDS].filter((word) => !/^[A-Z][A-Z0-9_]*$/.test(word))).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { createSqlReader } from '../../engine/sql/reading/sql-reader.js';

const EXECUTABLE_COMMENT = 'only some databases execute a comment of the form /*! … */: remove it';
const LOST_WITH = 'a WITH before a SELECT in parentheses cannot be read: remove the parentheses';

/** Texts that the reader must reject, because it could otherwise read a part as a comment or quoted text that a database executes. */
const REJECTED: readonly (readonly [sql: string, message: string, start: number])[] = [
  ['SELECT 1 AS a /*! INTO @x */', EXECUTABLE_COMMENT, 14],
  ['SELECT 1 AS a /*M! INTO @x */', EXECUTABLE_COMMENT, 14],
  ['SELECT 1 AS a /*T![x] INTO @x */', EXECUTABLE_COMMENT, 14],
  ['SELECT 1 AS a /* /* */ INTO OUTFILE "x" /* */ */', 'not SQL: "\\"x\\"" is unexpected here', 36],
  ['SELECT 1 AS a /* x', 'a comment is not closed', 14],
  ['SELECT $$ INTO @x $$ AS a', 'a name with $ needs backticks', 7],
  ["SELECT r'\\' AS a", 'not SQL: Unterminated raw string', 7],
  ["SELECT ';' AS a; -- x", 'no text is allowed after the semicolon: remove it', 15],
  ["SELECT ';' AS a; DELETE FROM t", 'the SQL has more than one statement: write one SELECT', 15],
  ["SELECT '\u{1f600}' AS a, b c d FROM t", 'not SQL: "d" is unexpected here', 22],
  ['SELECT a FROM t, (WITH b AS (SELECT 1) (SELECT 1) LIMIT 1) c', LOST_WITH, 18],
  ['SELECT 1 AS a, 2 AS with', 'not SQL: "with" is unexpected here; write `with` if it is a name', 20],
  // The parser does not know these operators, and reads the words AND and OR as names after AS.
  ['SELECT a AS || FROM t', 'not SQL: "||" is unexpected here', 12],
  ['SELECT t.&& FROM t', 'not SQL: "&&" is unexpected here', 9],
  // The place and the text of a token that the parser does not get as it is written.
  ['SELECT a FROM t WHERE b "c" d', 'not SQL: "\\"c\\"" is unexpected here', 24],
  ['SELECT a FROM t WHERE ! FROM', 'not SQL: "FROM" is unexpected here', 24],
  ['SELECT CAST(a AS length(1)) FROM t LIMIT 2, 3 4', 'not SQL: "4" is unexpected here', 46],
  ['SELECT (SELECT a LIMIT 2, 3 length) FROM t', 'not SQL: expected ) here, got "length"', 28],
  ['SELECT a FROM t WHERE length(b || c', 'not SQL: a ) is missing', 34],
  [`SELECT a FROM t WHERE b = 'c AND d = "e"`, 'not SQL: Unterminated string', 26],
];

/** Valid texts that are similar to the rejected texts. */
const ACCEPTED: readonly (readonly [sql: string, outputs: readonly string[]])[] = [
  ["SELECT ';' AS a, '/*!' AS b, '--x' AS c, '$' AS d, 'it''s \\' all' AS e", ['a', 'b', 'c', 'd', 'e']],
  ['SELECT """a" AS a, "\'" AS b, `a``;b` AS c FROM t', ['a', 'b', 'c']],
  ["SELECT GROUP_CONCAT(a SEPARATOR ';') AS a FROM t;", ['a']],
  ["SELECT 1 AS a -- it's ; \n, 2 AS b /* it's ; -- */, 3 AS c", ['a', 'b', 'c']],
  ["SELECT 1 AS a # it's ; /* \n, 2 AS b #", ['a', 'b']],
  ['SELECT 5 - -2 AS a --\n', ['a']],
  ['(SELECT a FROM t) LIMIT 2, 3', ['a']],
  ['WITH length (a) AS (SELECT 1) SELECT length.a FROM length', ['a']],
  // A regular expression that can match comments in several ways would not end.
  [`SELECT length${'/* */ # -- \n -- # \n'.repeat(60)} AS a FROM t`, ['a']],
  ['WITH `rollup` AS (SELECT 1 AS a) (SELECT a FROM `rollup`)', ['a']],
  ['WITH b AS (SELECT 1) (SELECT a.with AS a FROM t a GROUP BY c WITH ROLLUP) LIMIT 1', ['a']],
  ["SELECT MATCH (a) AGAINST ('b' WITH QUERY EXPANSION) AS a FROM t", ['a']],
  [
    'SELECT (1, 2) = (1, 2) AS a, b, NOT (1, 2) < (1, 2) AS c, a AND (1, b) <> (1, 2) AS d FROM t',
    ['a', 'b', 'c', 'd'],
  ],
  ['SELECT (SELECT 1, 2) = (1, 2) AS a FROM (SELECT (1, 2) = (1, 2) AS b) t', ['a']],
  ['SELECT 5--2 AS a, --b AS c, a---1 AS d, !a AS e FROM t WHERE !(a != 1) AND !b', ['a', 'c', 'd', 'e']],
];

const UNKNOWN_TABLE = 'no table of this SELECT has the name or the alias';
const WIDER = 'the text s of t cannot become longer than its first value: write CAST(… AS CHAR(200)) there';
const recursive = (first: string, next: string, names = '') =>
  `WITH RECURSIVE t${names} AS (SELECT 1 AS n, ${first} AS s UNION ALL SELECT n + 1, ${next} FROM t WHERE n < 4) SELECT s FROM t`;

/** Queries, and the error messages for the parts that they must not contain. */
const REJECTIONS: readonly (readonly [sql: string, messages: readonly string[]])[] = [
  ['SELECT u.a, t.b, v.* FROM t JOIN s.u WHERE v.c = T.c AND s.u.d = 1', [`${UNKNOWN_TABLE} v`]],
  [
    'SELECT (SELECT t.a FROM (SELECT 1 AS a) w WHERE w.a = x.a) AS a FROM t ORDER BY y.a',
    [`${UNKNOWN_TABLE} x`, `${UNKNOWN_TABLE} y`],
  ],
  [
    'SELECT a FROM t ORDER BY a NULLS LAST, b DESC NULLS FIRST',
    ['MySQL has no NULLS LAST: write x IS NULL, x', 'MySQL has no NULLS FIRST: write x IS NOT NULL, x'],
  ],
  ['SELECT RANK() OVER (ORDER BY a NULLS LAST) AS a FROM t', ['MySQL has no NULLS LAST: write x IS NULL, x']],
  [
    "SELECT '{}' ->> '$.a' AS a, LOWER(b) -> '$.a' AS b FROM t",
    Array(2).fill('only a column can be before -> and ->>: write JSON_EXTRACT or JSON_VALUE'),
  ],
  ["SELECT a ->> '$.a' AS a, t.b -> '$.a' AS b FROM t", []],
  [recursive("'a'", "CONCAT(s, 'b')"), [WIDER]],
  [recursive("CAST('a' AS CHAR)", "CONCAT_WS('-', t.s, n)"), [WIDER]],
  [recursive("'a'", "CONCAT(s, 'b')", '(n, s)'), [WIDER]],
  [recursive("CAST('a' AS CHAR(200))", "CONCAT(s, 'b')"), []],
  [recursive('a', "CONCAT(s, 'b')"), []],
  [recursive("'a'", 's'), []],
  [recursive("'day-0'", "CONCAT('day-', n)"), []],
];

describe('the SQL reader', () => {
  for (const [sql, messages] of REJECTIONS) {
    it(`finds what is not allowed in ${sql}`, () => {
      const reading = createSqlReader()(sql);
      expect('findings' in reading ? reading.findings.rejections.map(({ message }) => message) : reading).to.deep.equal(
        messages,
      );
    });
  }

  it('reads `--` without a space after it as two minus signs', () => {
    expect(createSqlReader()('SELECT 1 --0 INTO @x'))
      .to.have.nested.property('findings.rejections.0')
      .that.includes({ token: 'INTO' });
  });

  for (const [sql, message, start] of REJECTED) {
    it(`rejects ${sql}`, () => {
      expect(createSqlReader()(sql)).to.include({ message, start });
    });
  }

  for (const [sql, outputs] of ACCEPTED) {
    it(`accepts ${JSON.stringify(sql)}`, () => {
      expect(createSqlReader()(sql)).to.have.nested.property('findings.outputs').that.deep.equals(outputs);
    });
  }
});

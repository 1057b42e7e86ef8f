import { expect } from 'chai';
import { createSqlReader } from '../../sql/reading/sql-reader.js';

const EXECUTABLE_COMMENT = 'only some databases execute a comment of the form /*! … */: remove it';

/**
 * Texts that the reader must reject. Otherwise it could read SQL that a database executes as a comment or a quoted
 * text.
 */
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
  ['(SELECT a FROM t) LIMIT 2, 3', 'not SQL: write LIMIT n OFFSET m instead of LIMIT m, n', 25],
];

/** Valid texts that are similar to the rejected texts. */
const ACCEPTED: readonly (readonly [sql: string, outputs: readonly string[]])[] = [
  ["SELECT ';' AS a, '/*!' AS b, '--x' AS c, '$' AS d, 'it''s \\' all' AS e", ['a', 'b', 'c', 'd', 'e']],
  ['SELECT """a" AS a, "\'" AS b, `a``;b` AS c FROM t', ['a', 'b', 'c']],
  ["SELECT GROUP_CONCAT(a SEPARATOR ';') AS a FROM t;", ['a']],
  ["SELECT 1 AS a -- it's ; \n, 2 AS b /* it's ; -- */, 3 AS c", ['a', 'b', 'c']],
  ['SELECT 5 - -2 AS a --\n', ['a']],
  ['SELECT 5--2 AS a, --b AS c, a---1 AS d, !a AS e FROM t WHERE !(a != 1) AND !b', ['a', 'c', 'd', 'e']],
];

describe('the SQL reader', () => {
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

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readAccepted, readList } from './accepted.js';
import { readGoQueries, readGoSetup, readMysqltest } from './statements.js';

describe('the statements of the suites of other projects', () => {
  it('have a list of accepted differences, by pattern and by identifier', () => {
    const [reasonOf, rules] = [readAccepted(), readList()];
    const rejected = {
      kind: 'rejected',
      message: 'a query cannot lock rows: remove FOR',
      id: '',
      place: 'a.test:1',
    } as const;
    expect(reasonOf({ ...rejected, sql: 'SELECT 1 FOR UPDATE' })).to.equal('constructs without an equivalent');
    const listed = rules.find(({ kinds, ids }) => kinds.includes('value') && ids !== undefined);
    const value = { kind: 'value', message: '1 → 2', sql: 'SELECT 1', place: 'a.test:1' } as const;
    expect(reasonOf({ ...value, id: listed?.ids?.[0] ?? '' })).to.equal(listed?.reason);
    expect(reasonOf({ ...value, id: '00000000' })).to.equal(undefined);
  });

  it('have accepted values only by identifier, and chapters that exist', () => {
    const rules = readList();
    const broad = rules.filter(
      ({ kinds, ids, sql }) => kinds.includes('value') && ids === undefined && sql === undefined,
    );
    expect(broad).to.deep.equal([]);
    const chapters = readFileSync('docs/sql-dialect.md', 'utf8').match(/(?<=^#+ ).*/gm);
    expect(chapters).to.include.members(rules.flatMap(({ chapter }) => chapter ?? []));
  });

  it('are read from files of mysqltest, without its commands', () => {
    const text = `
# comment; with a delimiter
--disable_warnings
drop table if exists t1;
--enable_warnings
let $x = 1;
SELECT 'a;b' AS x, "c;" -- d;
FROM t1;
if ($x)
{
  SELECT 2;
}
delimiter //;
CREATE PROCEDURE p() BEGIN SELECT 1; END//
delimiter ;//
--error ER_PARSE_ERROR
SELECT 3; SELECT 4;
eval SELECT 5;
`;
    expect(readMysqltest(text)).to.deep.equal([
      { sql: 'drop table if exists t1', line: 4 },
      { sql: 'SELECT \'a;b\' AS x, "c;" -- d;\nFROM t1', line: 7 },
      { sql: 'CREATE PROCEDURE p() BEGIN SELECT 1; END', line: 14 },
      { sql: 'SELECT 3', line: 17 },
      { sql: 'SELECT 4', line: 17 },
    ]);
  });

  it('are read from Go files, with a reset before each script', () => {
    const text = `
var Queries = []QueryTest{
	{
		// Query: "SELECT 0",
		Query:    "SELECT \\"a\\"",
		Expected: []sql.Row{{"SELECT no"}},
	},
}
var Scripts = []ScriptTest{
	{
		Name: "a script",
		SetUpScript: []string{
			"create table t (a int)",
			\`insert into t values (1)\`,
		},
		Assertions: []ScriptTestAssertion{{ Query: "SELECT a FROM t", Expected: []sql.Row{{1}} }},
	},
}
`;
    expect(readGoQueries(text)).to.deep.equal([
      'reset',
      { sql: 'SELECT "a"', line: 5 },
      'reset',
      'reset',
      { sql: 'create table t (a int)', line: 13 },
      { sql: 'insert into t values (1)', line: 14 },
      { sql: 'SELECT a FROM t', line: 16 },
    ]);
  });

  it('are read from setup scripts', () => {
    expect(
      readGoSetup('exec\ncreate table t (a int)\n----\n\nexec\ninsert into t\n  values (1)\n----\n'),
    ).to.deep.equal(['create table t (a int)', 'insert into t\n  values (1)']);
  });
});

import { expect } from 'chai';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { showTables } from '../../explorer/playground/show-tables.js';
import { describeTable } from '../../warehouse/reference/table-reference-entry.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';

const FACTS = { grain: 'loaf', events: [], since: 'Today.', freshness: 'Never changes.', example: 'SELECT 1' };
const REFERENCE = new Map([
  ['loaves', describeTable({ description: 'All loaves.', ...FACTS }, { weight: ['INT', 'Its weight.', 'grams'] })],
  ['mv_loaves', describeTable({ description: 'Counted loaves.', ...FACTS }, { day: ['DATE', 'The day.'] })],
  ['mvxovens', describeTable({ description: 'Ovens.', ...FACTS }, { id: ['BIGINT', 'Its id.'] })],
]);

describe('the statements about tables', () => {
  const namesOf = (sql: string) => showTables(sql, REFERENCE)?.rows.map(([name]) => name);

  for (const sql of ['SHOW TABLES', 'show tables;', '  Show /* all */ Tables ; -- done', "SHOW TABLES LIKE '%'"]) {
    it(`list all tables with their meaning: ${sql}`, () => {
      expect(showTables(sql, REFERENCE)).to.deep.equal({
        columns: [
          { name: 'name', type: 'VARCHAR' },
          { name: 'description', type: 'VARCHAR' },
        ],
        rows: [
          ['loaves', 'All loaves.'],
          ['mv_loaves', 'Counted loaves.'],
          ['mvxovens', 'Ovens.'],
        ],
        more: false,
      });
    });
  }

  const patterns: readonly (readonly [pattern: string, names: readonly string[]])[] = [
    ['mv%', ['mv_loaves', 'mvxovens']],
    ['MV_%', ['mv_loaves', 'mvxovens']],
    ['mv\\_%', ['mv_loaves']],
    ['%loaves', ['loaves', 'mv_loaves']],
    ['loaves_', []],
    ['______', ['loaves']],
    ['', []],
    ['%%', ['loaves', 'mv_loaves', 'mvxovens']],
    ['.*', []],
  ];
  for (const [pattern, names] of patterns) {
    it(`list the tables of a pattern: '${pattern}'`, () => {
      expect(namesOf(`SHOW TABLES LIKE '${pattern}'`)).to.deep.equal(names);
      expect(namesOf(`show tables like "${pattern}";`)).to.deep.equal(names);
    });
  }

  it('do not backtrack for a pattern with many wildcards', () => {
    expect(namesOf(`SHOW TABLES LIKE '${'%_'.repeat(4_000)}'`)).to.deep.equal([]);
  });

  for (const sql of ['SHOW COLUMNS FROM loaves', 'describe LOAVES;', 'DESC `loaves`']) {
    it(`describe the columns of a table: ${sql}`, () => {
      const { columns, rows } = showTables(sql, REFERENCE) ?? {};
      expect(columns?.map(({ name }) => name)).to.deep.equal(['name', 'type', 'unit', 'description']);
      expect(rows).to.deep.equal([['weight', 'INT', 'grams', 'Its weight.']]);
    });
  }

  it('describe every public table', () => {
    for (const [name, { columns }] of TABLE_REFERENCE) {
      const rows = showTables(`DESC ${name}`, TABLE_REFERENCE)?.rows;
      expect(rows?.map(([column]) => column)).to.deep.equal([...columns.keys()]);
    }
  });

  const wrong: readonly (readonly [sql: string, reason: string, position: number])[] = [
    ['SHOW', 'expected TABLES or COLUMNS after SHOW, got the end', 4],
    ['SHOW DATABASES', 'expected TABLES or COLUMNS after SHOW, got DATABASES', 5],
    ['SHOW FULL TABLES', 'expected TABLES or COLUMNS after SHOW, got FULL', 5],
    ['SHOW TABLES FROM x', "expected LIKE 'pattern' or the end of the statement after SHOW TABLES, got FROM", 12],
    ['SHOW TABLES LIKE x', "expected a pattern in quotes after LIKE, such as 'mv_repo%', got x", 17],
    ["SHOW TABLES LIKE 'a' LIMIT 1", 'expected the end of the statement after the pattern, got LIMIT', 21],
    ['SHOW TABLES; SELECT 1', "expected LIKE 'pattern' or the end of the statement after SHOW TABLES, got SELECT", 13],
    ['SHOW COLUMNS loaves', 'expected FROM and a table after SHOW COLUMNS, got loaves', 13],
    ['SHOW COLUMNS FROM', 'expected the name of a table after SHOW COLUMNS FROM, got the end', 17],
    ['DESCRIBE', 'expected the name of a table after DESCRIBE, got the end', 8],
    ['DESC SELECT 1', 'expected the name of a table after DESC, got SELECT', 5],
    ["DESC 'loaves'", "expected the name of a table after DESC, got 'loaves'", 5],
    ['DESC bakery.loaves', 'expected the end of the statement after the name of the table, got .', 11],
    ['DESC loaves weight', 'expected the end of the statement after the name of the table, got weight', 12],
    ['DESC loafes', 'There is no public table loafes (did you mean "loaves"?).', 5],
    ['DESC sys_users', 'There is no public table sys_users.', 5],
    [
      `DESC loaves ${'x'.repeat(90)}`,
      `expected the end of the statement after the name of the table, got ${'x'.repeat(40)}…`,
      12,
    ],
  ];
  for (const [sql, reason, position] of wrong) {
    it(`are rejected with a position: ${sql.slice(0, 40)}`, () => {
      expect(() => showTables(sql, REFERENCE))
        .to.throw(SqlRejectedError)
        .that.includes({ reason, position });
    });
  }

  it('are only SQL that starts with these words', () => {
    for (const sql of [
      '',
      'SELECT 1',
      "SELECT 'SHOW TABLES'",
      'SHOWTABLES',
      "'SHOW' TABLES",
      '`DESC` loaves',
      'EXPLAIN loaves',
    ]) {
      expect(showTables(sql, REFERENCE), sql).to.equal(undefined);
    }
  });
});

import { expect } from 'chai';
import { problemsIn } from '../fixtures.js';

const HEAD = `name: list-loaves
summary: Loaves
params:
  oven: { in: query, type: integer, required: true, description: Oven }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id }
sql: WITH mine AS (SELECT id FROM loaves WHERE oven = {{ oven }}) SELECT id FROM mine JOIN other.ovens o ON o.loaf = mine.id
data_as_of: SELECT MAX(day) FROM days
fixtures:
`;

describe('the problems of fixtures', () => {
  const problemsOf = async (...lines: string[]) => {
    const problems = await problemsIn({ 'one.yaml': `${HEAD}${lines.map((line) => `  ${line}\n`).join('')}` });
    return problems.map((problem) => problem.replace('one.yaml:', ''));
  };

  it('do not exist for a fixture with every kind of value', async () => {
    expect(
      await problemsOf(
        '- { name: all, now: 2024-02-29 23:59:59, tables: { Loaves: [{ id: 1, a: -0.5, b: true, c: null, d: "2024-01-01" }], days: [] }, params: { oven: 1 }, rows: [{ id: "1" }], notices: [] }',
        '- { name: short, tables: {}, params: { oven: 1 } }',
      ),
    ).to.deep.equal([]);
  });

  it('name unknown and repeated tables, with the most similar table that the SQL reads', async () => {
    expect(
      await problemsOf(
        '- name: tables',
        '  params: { oven: 1 }',
        '  tables: { loafs: [], mine: [], weights: [], other.ovens: [], days: [], DAYS: [], __proto__: [] }',
      ),
    ).to.deep.equal([
      '12:15 fixtures.0.tables.loafs: the SQL does not read the table "loafs" (did you mean "loaves"?)',
      '12:26 fixtures.0.tables.mine: the SQL does not read the table "mine"',
      '12:36 fixtures.0.tables.weights: the SQL does not read the table "weights"',
      '12:49 fixtures.0.tables.other.ovens: a fixture cannot contain a table of another schema',
      '12:76 fixtures.0.tables.DAYS: the table "DAYS" is repeated',
      '12:86 fixtures.0.tables.__proto__: the SQL does not read the table "__proto__"',
    ]);
  });

  it('name repeated columns, and numbers that YAML changes, once per column', async () => {
    expect(
      await problemsOf(
        '- name: cells',
        '  params: { oven: 1 }',
        '  tables:',
        '    loaves:',
        '      - { id: 1, ID: 2, big: 9007199254740993, far: 1e300 }',
        '      - { id: 1, big: -9007199254740993, exact: 9007199254740991, text: "9007199254740993" }',
      ),
    ).to.deep.equal([
      '14:20 fixtures.0.tables.loaves.0.ID: the row contains the column "ID" twice',
      '14:32 fixtures.0.tables.loaves.0.big: YAML cannot represent this number exactly (expected the number in quotes, got 9007199254740992)',
      '14:55 fixtures.0.tables.loaves.0.far: YAML cannot represent this number exactly (expected the number in quotes, got 1e+300)',
    ]);
  });

  it('name wrong requests, rows, times and names', async () => {
    expect(
      await problemsOf(
        '- { name: one, tables: {}, now: 2023-02-29, params: { oven: x, ovn: 1 }, rows: [{ idd: "1" }] }',
        '- { name: one, tables: {}, now: 2024-01-01 24:00:00 }',
      ),
    ).to.deep.equal([
      '10:35 fixtures.0.now: this time does not exist (got "2023-02-29")',
      '10:63 fixtures.0.params.oven: invalid value for this parameter (expected an integer from -9007199254740991 to 9007199254740991, got "x")',
      '10:66 fixtures.0.params.ovn: "ovn" is not a declared parameter (did you mean "oven"?)',
      '10:85 fixtures.0.rows.0.idd: "idd" is not a declared column (did you mean "id"?)',
      '11:5 fixtures.1.params: the fixture has no value for the required parameter "oven"',
      '11:13 fixtures.1.name: another fixture has the name "one"',
      '11:35 fixtures.1.now: this time does not exist (got "2024-01-01 24:00:00")',
    ]);
  });

  it('name unknown and missing keys, and values of the wrong kind', async () => {
    expect(
      await problemsOf(
        '- { name: one, table: {} }',
        '- { name: "", tables: { loaves: [{ id: .inf }, 7] }, now: soon, rows: [{ id: 1 }] }',
      ),
    ).to.deep.equal([
      '10:18 fixtures.0.table: unknown key (did you mean "tables"?)',
      '11:14 fixtures.1.name: invalid value (expected text of at least 1 character, got "")',
      '11:42 fixtures.1.tables.loaves.0.id: invalid value (expected text or a number or true or false or null, got Infinity)',
      '11:50 fixtures.1.tables.loaves.1: invalid value (expected a mapping, got 7)',
      '11:61 fixtures.1.now: invalid value (expected a time (UTC) such as 2026-01-01 or 2026-01-01 12:30:00, got "soon")',
      '11:80 fixtures.1.rows.0.id: invalid value (expected text, got 1)',
    ]);
  });

  it('are limited in number, so that a file with thousands of mistakes is read quickly', async () => {
    const start = ['- name: one', '  params: { oven: 1 }'];
    const cells = Array.from({ length: 3000 }, (_, index) => `    - { id: ${index}, kind: [x] }`);
    expect(await problemsOf(...start, '  tables:', '   loaves:', ...cells)).to.have.length(100);
    const rows = Array.from({ length: 3000 }, (_, index) => `    - { x${index}: '1' }`);
    expect(await problemsOf(...start, '  tables: {}', '  rows:', ...rows)).to.have.length(20);
  });

  it('limit the number of fixtures', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `- { name: f${index}, tables: {}, params: { oven: 1 } }`);
    expect(await problemsOf(...many.slice(0, 100))).to.deep.equal([]);
    expect(await problemsOf(...many)).to.deep.equal([
      '10:3 fixtures: invalid value (expected a list of at most 100 items, got a list)',
    ]);
  });
});

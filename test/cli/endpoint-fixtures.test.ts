import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyEmptyFile } from '../service/demo-data.js';
import { run } from './command-line.js';

const LOAVES = `name: list-loaves
summary: Loaves
params:
  kind: { in: query, enum: [rye, wheat], default: rye, description: Kind }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id }
  - { col: weight, data_type: DOUBLE, nullable: true, description: Weight }
  - { col: baker, data_type: VARCHAR, nullable: true, description: Baker }
  - { col: day, data_type: DATE, nullable: true, description: Day }
  - { col: age, data_type: INT, nullable: true, description: Days since then }
sql: |
  SELECT l.id, l.weight, u.login AS baker, l.day, DATEDIFF({{ now }}, l.day) AS age
  FROM loaves l LEFT JOIN github_users u ON u.id = l.baker_id
  WHERE l.kind = {{ kind }}
  ORDER BY l.id
notices:
  - when: empty
    sql: SELECT CONCAT('No ', {{ kind }}) AS notice FROM github_users HAVING COUNT(*) = 0
`;

const ROW = "{ id: 1, kind: rye, weight: 0.5, baker_id: 7, day: '2025-12-30' }";

describe('the fixtures of endpoint test', () => {
  let folder: string;
  let environment: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-fixtures-'));
    // No server listens on this port, because fixtures must not use the configured database.
    environment = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: 'mysql://reader@127.0.0.1:1/none',
      ENDPOINTS_DIR: folder,
    };
  });
  afterEach(() => rm(folder, { recursive: true }));

  const file = () => join(folder, 'loaves.yaml');
  const endpoint = (...words: string[]) => run(['endpoint', ...words], { environment, cwd: folder });
  /** Writes a definition with fixtures, and tests it. */
  const testFixtures = async (fixtures: readonly string[], definition = LOAVES) => {
    const lines = fixtures.map((line) => `  ${line}\n`).join('');
    await writeFile(file(), `${definition}fixtures:\n${lines}`);
    const { code, out, err } = await endpoint('test', 'list-loaves', '--fixtures', '--json');
    if (code === 2) throw new Error(err);
    const [{ checks }] = JSON.parse(out) as [{ checks: { ms?: number; name: string; got?: string }[] }];
    for (const check of checks) delete check.ms;
    return checks.map((check) => JSON.parse(JSON.stringify(check).replaceAll(`${folder}/`, '')) as unknown);
  };

  it('have the types and defaults of the tables, inferred types for other tables, and a fixed time', async () => {
    const big = `{ id: "9007199254740993", kind: rye, weight: 2, baker_id: null, day: null }`;
    const checks = await testFixtures([
      '- name: rye',
      `  tables: { loaves: [${ROW}, ${big}], GitHub_Users: [{ ID: 7, login: "O'Brien" }] }`,
      '  rows:',
      `    - { id: '1', weight: '0.5', baker: "O'Brien", day: '2025-12-30', age: '2' }`,
      `    - { id: '9007199254740993', weight: '2', baker: '', day: '', age: '' }`,
      '- name: another time, and no row of the previous fixture',
      `  tables: { loaves: [${ROW}] }`,
      '  now: 2025-12-31 23:59:59',
      `  rows: [{ id: '1', weight: '0.5', baker: '', day: '2025-12-30', age: '1' }]`,
      '- name: a notice',
      `  tables: { loaves: [${ROW}] }`,
      '  params: { kind: wheat }',
      '  rows: []',
      '  notices: [No wheat]',
      '- name: no notice, because a table has a row',
      `  tables: { loaves: [${ROW}], github_users: [{}] }`,
      '  params: { kind: wheat }',
      '  rows: []',
      '  notices: []',
    ]);
    expect(checks).to.deep.equal([
      { kind: 'fixture', name: 'rye', ok: true },
      { kind: 'fixture', name: 'another time, and no row of the previous fixture', ok: true },
      { kind: 'fixture', name: 'a notice', ok: true },
      { kind: 'fixture', name: 'no notice, because a table has a row', ok: true },
    ]);
    // No files were created, neither in the working directory nor for the configured database.
    expect([await readdir(folder), existsSync(join(folder, 'data'))]).to.deep.equal([['loaves.yaml'], false]);
  });

  it('compare the sources of an answer, and --update writes them', async () => {
    const entry =
      "'loaf' AS type, 'till' AS source, NULL AS subject, '2026-01-01' AS starts, NULL AS ends, 0.25 AS share";
    const definition = LOAVES.replace(/when: empty\n.*/, `when: always\n    sql: SELECT NULL AS notice, ${entry}`);
    const wrong = '{ type: loaf, source: till, subject: null, starts: null, ends: null, share: 1 }';
    const fixture = ['- name: no wheat', `  tables: { loaves: [${ROW}] }`, '  params: { kind: wheat }', '  rows: []'];
    const [check] = await testFixtures([...fixture, `  sources: [${wrong}]`], definition);
    const [expected, got] = ['null,"ends":null,"share":1', '"2026-01-01T00:00:00Z","ends":null,"share":0.25'].map(
      (end) => `[{"type":"loaf","source":"till","subject":null,"starts":${end}}]`,
    );
    expect(check).to.deep.include({ ok: false, expected: `sources ${expected}`, got });
    expect((await endpoint('test', 'list-loaves', '--fixtures', '--update')).code).to.equal(0);
    expect(await readFile(file(), 'utf8')).to.include(
      '  sources:\n      - { type: "loaf", source: "till", subject: null, starts: "2026-01-01T00:00:00Z", ends: null, share: 0.25 }',
    );
    expect((await endpoint('test', 'list-loaves', '--fixtures')).code).to.equal(0);
  });

  it('show unknown columns and values that a column cannot contain, at their places', async () => {
    const sql = LOAVES.replace('FROM loaves l', 'FROM loaves l JOIN github_events e ON e.id = l.id');
    const checks = await testFixtures(
      [
        '- name: wrong',
        '  tables:',
        `    loaves: [${ROW}]`,
        '    github_users:',
        '      - { id: 7.5, logn: x, login: 5, created_at: 2025-02-29, is_bot: 300, nothing_like_it: 1 }',
        '      - { id: "9223372036854775808", login: null, is_bot: yes, created_at: "now", name: "a\\0b" }',
        '      - { id: null, is_bot: true, login: "true" }',
      ],
      sql,
    );
    const integer = 'an integer from -9223372036854775808 to 9223372036854775807';
    const time = 'an existing time (UTC) as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS';
    const [one, two] = ['loaves.yaml:24', 'loaves.yaml:25'];
    const invalid = (place: string, row: number, column: string, expected: string, got: string) =>
      `${place} fixtures.0.tables.github_users.${row}.${column}: invalid value for the column ${column} (expected ${expected}, got ${got})`;
    const names = checks.map((check) => (check as { name: string }).name);
    expect(names.map((name) => name.replace(/one of id, .*\)/, 'one of …)'))).to.deep.equal([
      invalid(`${one}:17`, 0, 'id', integer, '7.5'),
      `${one}:22 fixtures.0.tables.github_users.0.logn: the table github_users has no column logn (did you mean "login"?)`,
      invalid(`${one}:38`, 0, 'login', 'text in quotes', '5'),
      invalid(`${one}:53`, 0, 'created_at', time, '"2025-02-29"'),
      invalid(`${one}:73`, 0, 'is_bot', 'an integer from -128 to 127', '300'),
      `${one}:78 fixtures.0.tables.github_users.0.nothing_like_it: the table github_users has no column nothing_like_it (expected one of …)`,
      invalid(`${two}:18`, 1, 'id', integer, '"9223372036854775808"'),
      invalid(`${two}:47`, 1, 'login', 'text, not NULL', 'NULL'),
      invalid(`${two}:61`, 1, 'is_bot', 'an integer from -128 to 127', '"yes"'),
      invalid(`${two}:79`, 1, 'created_at', time, '"now"'),
    ]);
    expect(checks[0]).to.deep.include({ ok: false, place: { file: 'loaves.yaml', line: 24, column: 17 } });
  });

  it('need the columns of tables of other programs', async () => {
    const named = (name: string, tables: string) => [`- name: ${name}`, `  tables: ${tables}`];
    const checks = await testFixtures([
      ...named('absent', '{}'),
      ...named('empty', '{ loaves: [] }'),
      ...named('mixed', `{ loaves: [${ROW}, { id: x, day: 1 }] }`),
      ...named('incomplete', '{ loaves: [{ id: 1, kind: rye }] }'),
    ]);
    const needs =
      'the fixture needs at least one row of loaves: it is not a table of the service, so its columns are unknown';
    const differ = (column: string) =>
      `the values of the column ${column} have different types (expected only numbers, or only text in quotes)`;
    const definition = (name: string, line: number, column: number) => {
      return { kind: 'definition', name, ok: false, place: { file: 'loaves.yaml', line, column } };
    };
    expect(checks).to.deep.equal([
      definition(`loaves.yaml:21:5 fixtures.0.tables: ${needs}`, 21, 5),
      definition(`loaves.yaml:23:15 fixtures.1.tables.loaves: ${needs}`, 23, 15),
      definition(`loaves.yaml:25:30 fixtures.2.tables.loaves.0.id: ${differ('id')}`, 25, 30),
      definition(`loaves.yaml:25:76 fixtures.2.tables.loaves.0.day: ${differ('day')}`, 25, 76),
      {
        kind: 'fixture',
        name: 'incomplete',
        ok: false,
        expected: 'no error',
        got: 'query_failed: unknown column "l.baker_id"',
        // The position is in the SQL of the author.
        place: { file: 'loaves.yaml', line: 13, column: 52 },
      },
    ]);
  });

  it('show a query for notices or freshness that fails, at its place', async () => {
    const checks = await testFixtures(
      ['- name: one', `  tables: { loaves: [${ROW}] }`, '  params: { kind: wheat }', '  rows: []'],
      LOAVES.replace('HAVING COUNT(*) = 0', 'WHERE nothing = 1'),
    );
    expect(checks).to.deep.equal([
      {
        kind: 'definition',
        name:
          'loaves.yaml:18:77 notices.0.sql: the query failed: unknown column "nothing" ' +
          "(got SELECT CONCAT('No ', {{ kind }}) AS notice FROM github_users WHERE nothing = 1)",
        ok: false,
        place: { file: 'loaves.yaml', line: 18, column: 77 },
      },
    ]);
  });

  it('show the differences per row and column', async () => {
    await writeFile(
      file(),
      `${LOAVES}fixtures:
  - name: different
    tables: { loaves: [${ROW}, { id: 2, kind: rye, weight: 1, baker_id: 7, day: null }, { id: 3, kind: rye, weight: 1, baker_id: 7, day: null }] }
    rows:
      - { id: '1', weight: '0.25', baker: x, day: '2025-12-30', age: '2' }
      - { id: '3', weight: '1', baker: '', day: '', age: '' }
  - name: without rows
    tables: { loaves: [${ROW}] }
  - name: other notices
    tables: { loaves: [${ROW}] }
    params: { kind: wheat }
    rows: []
    notices: [No rye]
`,
    );
    const { code, out, err } = await endpoint('test', 'list-loaves', '--fixtures', '--coverage');
    expect(code).to.equal(1);
    expect(out.replaceAll(`${folder}/`, '').split('┌')[0]).to.equal(`failed list-loaves (loaves.yaml)
  ✗ fixture different: expected row 1, weight: "0.25", got "0.5"
    loaves.yaml:23:29
    23 |       - { id: '1', weight: '0.25', baker: x, day: '2025-12-30', age: '2' }
       |                             ^
    row 1, baker: expected "x", got ""
    row 2: expected no row, got {"id":"2","weight":"1","baker":"","day":"","age":""}
  ✗ fixture without rows: expected rows; write them with --update, got a fixture without rows
    loaves.yaml:25:5
    25 |   - name: without rows
       |     ^
  ✗ fixture other notices: expected notices ["No rye"], got ["No wheat"]
    loaves.yaml:31:5
    31 |     notices: [No rye]
       |     ^
`);
    const [coverage, warning] = out.slice(out.indexOf('  coverage')).split('\n');
    expect(coverage).to.equal('  coverage: 5 of 5');
    expect(warning).to.match(/^warning: .*\[no-data-as-of\]$/);
    expect(err.replace(/[\d.]+ s$/m, '… s')).to.equal(
      '1 endpoint, 3 checks, 3 failed in 1 endpoint, coverage 100 %, … s\n',
    );
  });

  it('are written by --update, which keeps the rest of the file and its mode', async () => {
    await writeFile(
      file(),
      `${LOAVES}fixtures: # tests
  # the first one
  - { name: one, tables: { loaves: [${ROW}] }, notices: [old] } # of rye
  - name: broken
    tables: { github_users: [{ idd: 1 }], loaves: [${ROW}] }
`,
    );
    await chmod(file(), 0o640);
    await symlink(file(), join(folder, 'link.txt'));
    const first = await endpoint('test', 'list-loaves', '--fixtures', '--update');
    const text = await readFile(file(), 'utf8');
    expect(text).to.equal(
      `${LOAVES}fixtures: # tests
  # the first one
  - { name: one, tables: { loaves: [${ROW}] }, notices: [], rows: [{ id: "1", weight: "0.5", baker: "", day: "2025-12-30", age: "2" }] } # of rye
  - name: broken
    tables: { github_users: [{ idd: 1 }], loaves: [${ROW}] }
`,
    );
    expect([first.code, first.out, first.err].map((part) => String(part).replaceAll(`${folder}/`, ''))).to.deep.equal([
      '1',
      'loaves.yaml: fixture one: 1 row\n',
      'loaves.yaml:23:32 fixtures.1.tables.github_users.0.idd: the table github_users has no column idd (did you mean "id"?)\n1 request updated in 1 endpoint\n',
    ]);
    expect([(await stat(file())).mode & 0o777, await readdir(folder)]).to.deep.equal([
      0o640,
      ['link.txt', 'loaves.yaml'],
    ]);
    const again = await endpoint('test', 'list-loaves', '--fixtures', '--update', '--json');
    expect(JSON.parse(again.out)[0].updated).to.deep.equal([]);
    expect(await readFile(file(), 'utf8')).to.equal(text);
  });

  it('are missing if no definition has any', async () => {
    await writeFile(file(), LOAVES);
    const { code, err } = await endpoint('test', '--all', '--fixtures');
    expect([code, err.split('\n')[0]]).to.deep.equal([0, 'none of these endpoints has fixtures']);
  });

  it('are tested when the configured database cannot run the SQL', async () => {
    await writeFile(
      file(),
      `${LOAVES}fixtures:\n  - { name: one, tables: { loaves: [${ROW}] }, params: { kind: wheat }, rows: [] }\n`,
    );
    await copyEmptyFile(join(folder, 'x.duckdb'));
    environment.DATABASE_URL = `duckdb:${join(folder, 'x.duckdb')}`;
    const { code, out } = await endpoint('test', 'list-loaves', '--json');
    const [{ checks }] = JSON.parse(out) as [{ checks: { kind: string; ok: boolean }[] }];
    expect([code, checks.map(({ kind, ok }) => [kind, ok])]).to.deep.equal([
      1,
      [
        ['definition', false],
        ['fixture', true],
      ],
    ]);
  });
});

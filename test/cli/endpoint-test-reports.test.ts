import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyEmptyFile } from '../service/demo-data.js';
import { run } from './command-line.js';

const USERS = `name: list-users
summary: Users
params:
  order: { in: query, enum: [id, login], default: id, description: Order }
  bots: { in: query, type: boolean, default: false, description: Bots }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id }
sql: |
  SELECT id FROM github_users
  WHERE is_bot = {{ bots }}
  ORDER BY {% case order %}{% when "id" %}id{% when "login" %}{% if bots %}login, id{% else %}login{% endif %}{% endcase %}
notices:
  - { when: empty, sql: SELECT 'No user' AS notice }
examples:
  - { name: all of them, params: {} }
`;

/** A definition without an example, whose only parameter has no default. */
const NO_EXAMPLE = `name: no-example
summary: No example
params:
  login: { in: query, type: string, required: true, description: Login }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id }
sql: SELECT id FROM github_users WHERE login = {{ login }}
`;

/** Matches lines with warnings about these definitions. */
const WARNING = /^(warning: |::warning )/;

const HOSTILE = 'a\n::error::b, 100%: "c" <d> ]]> \u0001\ud800 é';

describe('the reports of endpoint test', () => {
  let folder: string;
  let environment: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-reports-'));
    environment = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: `duckdb:${join(folder, 'x.duckdb')}`,
      ENDPOINTS_DIR: folder,
    };
    await copyEmptyFile(join(folder, 'x.duckdb'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (files: Readonly<Record<string, string>>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  const endpoint = async (...words: string[]) => {
    const { code, out, err } = await run(['endpoint', 'test', ...words], { environment, cwd: folder });
    const plain = (text: string) => text.replaceAll(`${folder}/`, '').replace(/[\d.]+ s$/m, '… s');
    const warnings = out.split('\n').filter((line) => WARNING.test(line));
    const others = out.split('\n').filter((line) => !WARNING.test(line));
    return { code, out: plain(others.join('\n')), err: plain(err), warnings: warnings.map(plain) };
  };

  it('contain every endpoint, although one is broken, one cannot be tested and one is unknown', async () => {
    await write({
      'users.yaml': USERS,
      'no-example.yaml': NO_EXAMPLE,
      'broken.yaml': USERS.replace('list-users', 'broken').replace('columns:', 'colums:'),
      'no-table.yaml': USERS.replace('list-users', 'no-table').replace('FROM github_users', 'FROM github_people'),
    });
    const { code, out, err } = await endpoint(
      'no-example',
      'broken',
      'no-table',
      'nothing',
      'list-users',
      'list-users',
    );
    expect(code).to.equal(1);
    expect(out.split('┌')[0]).to.equal(`failed nothing
  ✗ There is no endpoint named nothing. \`endpoint list\` lists all names.
failed broken (broken.yaml)
  ✗ broken.yaml:6:1 colums: unknown key (did you mean "columns"?)
    6 | colums:
      | ^
failed no-example (no-example.yaml)
  ✗ no-example.yaml:4:3 params.login: no valid request is known: bad_parameter: login must be text of 1 to 255 characters, got nothing; add an example to the definition
    4 |   login: { in: query, type: string, required: true, description: Login }
      |   ^
failed no-table (no-table.yaml)
  ✗ no-table.yaml:9:18 sql: the database cannot run this: the table "github_people" does not exist (did you mean "github_repos"?) (got SELECT id FROM github_people)
    9 |   SELECT id FROM github_people
      |                  ^
ok list-users (users.yaml)
`);
    expect(err.split('\n').slice(-2)).to.deep.equal([
      '5 endpoints, 23 checks, 4 failed in 4 endpoints, coverage 40 %, … s',
      '',
    ]);
  });

  it('show an error of the database at the place in the SQL of the author', async () => {
    await write({
      'users.yaml': USERS.replace(
        'SELECT id FROM github_users',
        "SELECT big + 1 AS id FROM (SELECT 9223372036854775807 AS big, 0 AS is_bot, 'x' AS login) u",
      ),
    });
    const { out } = await endpoint('list-users');
    const error = 'query_failed: a number is out of range';
    expect(out.split('\n').slice(0, 6)).to.deep.equal([
      'failed list-users (users.yaml)',
      `  ✗ example all of them: expected no error, got ${error}`,
      '    users.yaml:9:3',
      "    9 |   SELECT big + 1 AS id FROM (SELECT 9223372036854775807 AS big, 0 AS is_bot, 'x' AS login) u",
      '      |   ^',
      `  ✗ case base request: expected an answer, got ${error}`,
    ]);
  });

  it('contain the coverage, which can be required', async () => {
    await write({ 'users.yaml': USERS });
    const all = await endpoint('list-users', '--coverage', '--min-coverage', '91');
    expect([all.code, all.out.slice(all.out.indexOf('  coverage')), all.err.split('\n').slice(1)]).to.deep.equal([
      1,
      '  coverage: 9 of 10\n  - not exercised: variant order = "login", bots = true\n',
      [
        '1 endpoint, 19 checks, 0 failed, coverage 90 %, … s',
        'The coverage is below 91 %; --coverage lists the missing parts.',
        '',
      ],
    ]);
    const enough = await endpoint('list-users', '--json', '--min-coverage', '90');
    const [{ coverage }] = JSON.parse(enough.out) as [{ coverage: unknown }];
    expect([enough.code, coverage]).to.deep.equal([
      0,
      {
        total: 10,
        covered: 9,
        parts: [
          { kind: 'variant', name: 'order = "id", bots = true', by: ['example', 'case'] },
          { kind: 'variant', name: 'order = "login", bots = true', by: [] },
          { kind: 'variant', name: 'order = "login", bots = false', by: ['case'] },
          { kind: 'parameter', name: 'order', by: ['case'] },
          { kind: 'value', name: 'order = "id"', by: ['example', 'case'] },
          { kind: 'value', name: 'order = "login"', by: ['case'] },
          { kind: 'parameter', name: 'bots', by: ['case'] },
          { kind: 'value', name: 'bots = true', by: ['case'] },
          { kind: 'value', name: 'bots = false', by: ['example', 'case'] },
          { kind: 'notice', name: 'notices.0.sql', by: ['example', 'case'] },
        ],
      },
    ]);
    for (const wrong of ['101', '-1', '1.5', 'x'])
      expect((await endpoint('list-users', '--min-coverage', wrong)).code).to.equal(2);
  });

  it('are annotations of GitHub and JUnit XML, with any text', async () => {
    const example = `  - { name: ${JSON.stringify(HOSTILE)}, params: {}, rows: [{ id: ${JSON.stringify(HOSTILE)} }] }\n`;
    await write({ 'users.yaml': USERS + example });
    const { code, out, err, warnings } = await endpoint('list-users', '--github', '--junit', 'out/result.xml');
    expect(warnings.map((line) => line.split(' [').at(-1))).to.deep.equal(['no-data-as-of]', 'unstable-pages]']);
    expect(warnings[0]).to.match(
      /^::warning file=users.yaml,line=8,col=1,title=endpoint test list-users::Without data_as_of/,
    );
    expect([code, out]).to.deep.equal([
      1,
      '::error file=users.yaml,line=16,col=85,title=endpoint test list-users::' +
        `example ${HOSTILE.replace('%', '%25').replace('\n', '%0A')}: expected row 1: ${JSON.stringify({ id: HOSTILE }).replace('%', '%25')}, got no row\n`,
    ]);
    expect(err).to.equal('1 endpoint, 20 checks, 1 failed in 1 endpoint, coverage 90 %, … s\n');
    const xml = await readFile(join(folder, 'out/result.xml'), 'utf8');
    const lines = xml.replaceAll(/ time="[\d.]+"/g, '').split('\n');
    const name = 'example a&#10;::error::b, 100%: &#34;c&#34; &#60;d&#62; ]]&#62; \ufffd\ufffd é';
    const got = String.raw`{&#34;id&#34;:&#34;a\n::error::b, 100%: \&#34;c\&#34; &#60;d&#62; ]]&#62; \u0001\ud800 é&#34;}, got no row`;
    expect([...lines.slice(0, 4), ...lines.slice(7, 10), ...lines.slice(-5)]).to.deep.equal([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="endpoint test" tests="20" failures="1" errors="0">',
      '<testsuite name="list-users" file="users.yaml" tests="20" failures="1" errors="0">',
      '<testcase classname="list-users" name="variant order = &#34;id&#34;, bots = true"/>',
      `<testcase classname="list-users" name="${name}" file="users.yaml" line="16">`,
      `<failure message="${name}: expected row 1: ${got}">users.yaml:16:85&#10;row 1: expected ${got}</failure>`,
      '</testcase>',
      '<testcase classname="list-users" name="case a parameter that is not declared"/>',
      '<testcase classname="list-users" name="column id"/>',
      '</testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  it('write the rows of examples, with --all only where the definition has rows', async () => {
    const examples = '  - { name: other, params: { bots: true }, rows: [{ id: "1" }] }\n';
    await write({ 'users.yaml': USERS + examples });
    const all = await endpoint('--all', '--update');
    expect([all.code, all.out, all.err]).to.deep.equal([
      0,
      'users.yaml: example other: 0 rows\n',
      '1 request updated in 1 endpoint\n',
    ]);
    const named = await endpoint('list-users', '--update', '--json');
    expect(JSON.parse(named.out)).to.deep.equal([
      {
        name: 'list-users',
        file: 'users.yaml',
        updated: [{ kind: 'example', name: 'all of them', rows: 0 }],
        failed: [],
      },
    ]);
    expect(await readFile(join(folder, 'users.yaml'), 'utf8')).to.equal(
      `${USERS.replace('params: {} }', 'params: {}, rows: [] }')}${examples.replace('[{ id: "1" }]', '[]')}`,
    );
    expect((await endpoint('list-users')).code).to.equal(0);
  });

  it('reject options that exclude each other', async () => {
    await write({ 'users.yaml': USERS });
    for (const words of [
      ['--github', '--json'],
      ['--fixtures', '--database-url', 'duckdb:x'],
      ['--update', '--against', 'duckdb:x'],
    ]) {
      const { code, err } = await endpoint('list-users', ...words);
      expect([code, err.includes('cannot be used with')], words.join(' ')).to.deep.equal([2, true]);
    }
  });
});

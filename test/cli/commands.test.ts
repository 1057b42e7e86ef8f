import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { requireStore, type Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { ImportSummary } from '../../warehouse/import/summary.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { run, runProcess, start } from './command-line.js';
import { openHere, runHere } from './commands-here.js';

const VALID = `name: count-of-users
path: /v1/users/count/
summary: Number of users
params:
  is_bot: { in: query, type: boolean, default: false, description: Bots or people. }
columns:
  - { col: users, data_type: BIGINT, nullable: false, description: How many }
sql: SELECT COUNT(*) AS users FROM github_users WHERE is_bot = {{ is_bot }}
examples:
  - { name: people, params: {}, rows: [{ users: '0' }] }
lint: { no-data-as-of: A toy. }
`;

describe('the command line', () => {
  let folder: string;
  let environment: Record<string, string>;
  /** A database with empty tables, which all tests of commands on existing tables use. */
  let tables: { readonly folder: string; readonly warehouse: Warehouse };
  before(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'repo-insight-cli-'));
    const file = join(parent, 'tables.duckdb');
    await copyEmptyFile(file);
    tables = { folder: parent, warehouse: await openHere({ DATA_DIR: parent, DATABASE_URL: `duckdb:${file}` }) };
  });
  after(async () => {
    await tables.warehouse.close();
    await rm(tables.folder, { recursive: true });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-cli-'));
    environment = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: `duckdb:${join(folder, 'x.duckdb')}`,
      ENDPOINTS_DIR: folder,
    };
    await writeFile(join(folder, 'count-of-users.yaml'), VALID);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const endpoint = (...words: string[]) => run(['endpoint', ...words], { environment, cwd: folder });
  /** Runs a command as a service does that has the database of the suite open. */
  const onTables = (...words: string[]) => runHere(words, readSettings(environment), tables.warehouse, { cwd: folder });

  it('prints help for every command and exits with 0', async () => {
    for (const words of [[], ['serve'], ['config'], ['data'], ['data', 'import'], ['endpoint'], ['endpoint', 'test']]) {
      const { code, out } = await run([...words, '--help'], { environment });
      expect(code, words.join(' ')).to.equal(0);
      expect(out).to.match(/^Usage: repo-insight/);
    }
  });

  it('exits with 2 on wrong usage', async () => {
    for (const words of [
      ['endpoint', 'run'],
      ['data', 'import'],
      ['endpoint', 'list', '--colour'],
    ]) {
      expect((await run(words, { environment })).code, words.join(' ')).to.equal(2);
    }
    expect((await runProcess(['nothing'], { environment })).code).to.equal(2);
  });

  it('checks definitions without a database', async () => {
    const { code, err } = await endpoint('check');
    expect([code, err]).to.deep.equal([0, '1 valid, 0 problems\n']);
  });

  it('notes paths that take requests of another path, without changing the exit code', async () => {
    const of = (name: string, path: string) => `name: ${name}
path: ${path}
summary: Path ${name}
params:
${[...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => `  ${key}: { in: path, type: string, description: Part }`).join('\n')}
columns:
  - { col: parts, data_type: VARCHAR, nullable: true, description: Parts }
sql: SELECT CONCAT(${[...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => `{{ ${key} }}`).join(', ')}, '') AS parts
`;
    const paths = {
      all: '/v1/ovens/{oven}/{loaf}/',
      first: '/v1/ovens/stone/{loaf}',
      last: '/v1/ovens/{oven}/rye/',
      other: '/v1/mills/{mill}/{loaf}/',
      shorter: '/v1/ovens/{oven}/',
    };
    const other = join(folder, 'paths');
    await mkdir(other);
    for (const [name, path] of Object.entries(paths)) await writeFile(join(other, `${name}.yaml`), of(name, path));
    const { code, err } = await run(['endpoint', 'check'], { environment: { ...environment, ENDPOINTS_DIR: other } });
    const lines = err.split('\n').map((line) => line.replaceAll(`${other}/`, ''));
    expect([code, lines]).to.deep.equal([
      0,
      [
        'note: first.yaml:2:7 path: /v1/ovens/stone/{loaf} takes requests that also match /v1/ovens/{oven}/{loaf}/ of all.yaml',
        'note: first.yaml:2:7 path: /v1/ovens/stone/{loaf} takes requests that also match /v1/ovens/{oven}/rye/ of last.yaml',
        'note: last.yaml:2:7 path: /v1/ovens/{oven}/rye/ takes requests that also match /v1/ovens/{oven}/{loaf}/ of all.yaml',
        '5 valid, 0 problems',
        '',
      ],
    ]);
  });

  it('notes definitions whose answers are never stored, without changing the exit code', async () => {
    const sql = 'SELECT COUNT(*) AS users FROM github_users WHERE is_bot = {{ is_bot }}';
    const second = sql.replace('WHERE', 'WHERE created_at < {{ now }} AND');
    const mine = sql.replace('github_users', 'my_users');
    const noteOf = async (definition: string) => {
      await writeFile(join(folder, 'count-of-users.yaml'), definition);
      const { code, err } = await endpoint('check');
      expect([code, err.split('\n').slice(-2)]).to.deep.equal([0, ['1 valid, 0 problems', '']]);
      return err
        .split('\n')
        .slice(0, -2)
        .map((line) => line.replace(/ \S*(count-of-users)/, ' $1'));
    };
    expect(await noteOf(VALID.replace(sql, second))).to.deep.equal([
      'note: count-of-users.yaml:8:71 sql: answers are never stored: it uses the second of {{ now }}; use {{ hour }} or ' +
        `{{ today }} (got ${second})`,
    ]);
    expect(await noteOf(VALID.replace(sql, mine))).to.deep.equal([
      'note: count-of-users.yaml:8:36 sql: answers are never stored: other programs can write my_users; declare how long an ' +
        `answer is valid: cache.ttl (got ${mine})`,
    ]);
    expect(await noteOf(`${VALID.replace(sql, mine)}cache: { ttl: 60s }\n`)).to.deep.equal([]);
    const misspelled = sql.replace('github_users', 'github_user');
    expect(await noteOf(`${VALID.replace(sql, misspelled)}cache: { ttl: 60s }\n`)).to.deep.equal([
      'note: count-of-users.yaml:8:36 sql: the table github_user is not a table of this program (did you mean ' +
        `"github_users"?) (got ${misspelled})`,
    ]);
    expect(await noteOf(`${VALID}cache: { ttl: 60s }\n`)).to.deep.equal([
      'note: count-of-users.yaml:12:1 cache: cache has no effect: answers are stored until the data change',
    ]);
    const { out } = await endpoint('check', '--json');
    expect(JSON.parse(out)).to.have.nested.property('notes[0].key', 'cache');
  });

  it('describes every operation without a database, including an added one', async () => {
    const { code, out } = await run(['openapi'], { environment });
    expect(code).to.equal(0);
    const { openapi, paths } = JSON.parse(out) as { openapi: string; paths: Record<string, unknown> };
    expect(openapi).to.equal('3.1.0');
    expect(paths).to.include.keys('/v1/users/count/', '/q/count-of-users', '/user/');

    const { out: older } = await run(['openapi', '--openapi-3-0'], { environment });
    expect(JSON.parse(older).openapi).to.equal('3.0.3');
    await run(['openapi', '--swagger', '--out', 'swagger.json'], { environment, cwd: folder });
    const { swagger } = JSON.parse(await readFile(join(folder, 'swagger.json'), 'utf8')) as { swagger: string };
    expect(swagger).to.equal('2.0');
    expect(existsSync(join(folder, 'x.duckdb'))).to.equal(false);
  });

  it('describes the session cookie if users can sign in', async () => {
    const client = { OIDC_CLIENT_ID: 'x', PUBLIC_URL: 'https://insight.example' };
    const [url, name] = ['https://id.example', '__Host-repo-insight-session'];
    const plain = { OAUTH_PROVIDER: `host ${url} ${url} ${url}` };
    for (const provider of [{ OIDC_ISSUER: url }, plain]) {
      const { out } = await run(['openapi'], { environment: { ...environment, ...client, ...provider } });
      expect(JSON.parse(out).components.securitySchemes.session).to.include({ name });
    }
  });

  it('rejects definitions that read private data, as the server does', async () => {
    const sql = 'SELECT COUNT(*) AS users FROM github_users WHERE is_bot = {{ is_bot }}';
    const reads: readonly (readonly [string, string])[] = [
      ['SELECT COUNT(*) AS users FROM sys_users WHERE 1 = {{ is_bot }}', '8:36 sql: the table sys_users is private'],
      ['SELECT COUNT(u.email) AS users FROM github_users u WHERE is_bot = {{ is_bot }}', '8:21 sql: the column email'],
    ];
    await copyEmptyFile(join(folder, 'x.duckdb'));
    for (const [read, problem] of reads) {
      await writeFile(join(folder, 'count-of-users.yaml'), VALID.replace(sql, read));
      const { code, out } = await endpoint('check');
      expect([code, out.slice(out.indexOf('yaml:') + 5, out.indexOf('yaml:') + 5 + problem.length)]).to.deep.equal([
        1,
        problem,
      ]);
      const served = await run(['serve'], { environment: { ...environment, PORT: '0' } });
      expect(served.code).to.equal(2);
      expect(served.err).to.include(problem);
    }
  });

  it('prints the place of a problem and exits with 1', async () => {
    await writeFile(join(folder, 'wrong.yaml'), VALID.replace('{{ is_bot }}', '{{ is_robot }}'));
    const { code, out } = await endpoint('check', 'wrong.yaml');
    expect(code).to.equal(1);
    expect(out).to.match(/^\S+wrong\.yaml:8:\d+ sql: .*is_robot/);
  });

  it('prints warnings, which are failures only with --strict', async () => {
    const silent = VALID.replace('sql: SELECT', 'sql: SELECT type AS kind,').replace(
      'columns:\n',
      'columns:\n  - { col: kind, data_type: VARCHAR, nullable: true, description: Type }\n',
    );
    await writeFile(join(folder, 'count-of-users.yaml'), silent.slice(0, silent.indexOf('examples:')));
    const warnings =
      `warning: ${join(folder, 'count-of-users.yaml')}:9:1 sql: Without data_as_of, the age of the data is unknown, which every ` +
      'answer states. Add the key data_as_of with a SELECT of the time of the newest fact [no-data-as-of]\n' +
      `warning: ${join(folder, 'count-of-users.yaml')}:9:13 sql: The aggregates make one row of all rows, and type is the value of ` +
      'any one of them. Add GROUP BY type, or write an aggregate such as MAX(type), or ANY_VALUE(type) if all values are ' +
      'equal [ungrouped-column]\n';
    expect(await endpoint('check')).to.deep.equal({ code: 0, out: warnings, err: '1 valid, 0 problems, 2 warnings\n' });
    expect(await endpoint('check', '--strict')).to.have.property('code', 1);
    const { warnings: listed } = JSON.parse((await endpoint('check', '--json')).out);
    expect(listed.map(({ rule, line, column }: Record<string, unknown>) => [rule, line, column])).to.deep.equal([
      ['no-data-as-of', 9, 1],
      ['ungrouped-column', 9, 13],
    ]);
    const tested = await onTables('endpoint', 'test', 'count-of-users');
    expect([tested.code, tested.out.slice(-warnings.length)]).to.deep.equal([0, warnings]);
    const [verification] = JSON.parse((await onTables('endpoint', 'test', 'count-of-users', '--strict', '--json')).out);
    expect(verification.warnings).to.have.length(2);
    expect(await onTables('endpoint', 'test', 'count-of-users', '--strict')).to.have.property('code', 1);
  });

  it('tests a valid definition', async () => {
    const { code, out } = await onTables('endpoint', 'test', 'count-of-users', '--json');
    expect(code).to.equal(0);
    const [verification] = JSON.parse(out);
    expect(verification).to.include({ name: 'count-of-users', ok: true });
    expect(verification.rows).to.deep.equal([{ users: '0' }]);
    const names = verification.checks.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`);
    expect(names).to.deep.equal([
      'variant the only one',
      'example people',
      'case base request',
      'case is_bot: true',
      'case is_bot: false',
      'case is_bot: "maybe"',
      'case is_bot: ""',
      'case is_bot: not given',
      'case is_bot: given twice',
      'case a parameter that is not declared',
      'column users',
    ]);
  });

  it('prints ten faults of a definition, and all with --verbose', async () => {
    const named = VALID.replace(
      'is_bot: { in: query, type: boolean, default: false,',
      'login: { in: query, type: string,',
    )
      .replace('is_bot = {{ is_bot }}', '1 = 1')
      .replace('COUNT(*) AS users', 'JSON_LENGTH({{ login }}) AS users')
      .replace('github_users WHERE', '(SELECT 1 AS one) x WHERE');
    await writeFile(join(folder, 'count-of-users.yaml'), named);
    const faultsIn = (out: string) => out.split('\n').filter((line) => line.startsWith('  ✗')).length;
    const { code, out } = await onTables('endpoint', 'test', 'count-of-users');
    const all = await onTables('endpoint', 'test', 'count-of-users', '--verbose');
    expect([code, faultsIn(out), all.code, all.out.includes('use --verbose')]).to.deep.equal([1, 10, 1, false]);
    expect(out).to.include(`\n  and ${faultsIn(all.out) - 10} more; use --verbose\n`);
  });

  const faults: readonly (readonly [string, string, string, string])[] = [
    [
      'a table that does not exist, once and at its line',
      'github_users',
      'github_people',
      'count-of-users.yaml:8:36 sql: the database cannot run this: the table "github_people" does not exist',
    ],
    [
      'a misspelled table, with the most similar name',
      'github_users',
      'github_user',
      'the table "github_user" does not exist (did you mean "github_users"?)',
    ],
    [
      'a declared type that the database does not return',
      'data_type: BIGINT',
      'data_type: DATE',
      'expected DATE, got BIGINT',
    ],
    ['a NULL in a column that is not nullable', 'COUNT(*) AS users', 'MAX(id) AS users', 'expected no NULL, got NULL'],
    ['an example with other rows', "users: '0'", "users: '1'", 'expected row 1, users: "1", got "0"'],
  ];
  for (const [what, before, after, message] of faults) {
    it(`finds ${what} when it tests a definition`, async () => {
      await writeFile(join(folder, 'count-of-users.yaml'), VALID.replace(before, after));
      const { code, out } = await onTables('endpoint', 'test', 'count-of-users');
      expect(code).to.equal(1);
      expect(out).to.include(message);
    });
  }

  it('continues with the other checks after a declared type that does not fit the cells', async () => {
    const dated = VALID.replace('COUNT(*) AS users', "CONCAT('x', COUNT(*)) AS users").replace(
      "users: '0'",
      'users: x0',
    );
    await writeFile(join(folder, 'count-of-users.yaml'), dated);
    const { code, out } = await onTables('endpoint', 'test', 'count-of-users', '--json');
    const [{ checks, rows }] = JSON.parse(out) as [{ checks: Record<string, unknown>[]; rows: unknown }];
    expect(code).to.equal(1);
    expect(rows).to.deep.equal([{ users: 'x0' }]);
    expect(checks.map(({ kind }) => kind)).to.include.members(['variant', 'example', 'case', 'column']);
    expect(checks.filter(({ ok }) => !ok).map(({ kind, expected, got }) => [kind, expected, got])).to.deep.equal([
      ['column', 'BIGINT', 'VARCHAR'],
    ]);
  });

  it('runs and tests the other endpoints while one definition is broken', async () => {
    const problem = `${join(folder, 'wrong.yaml')}:8:67 sql: is_robot is not a parameter of this SQL (did you mean "is_bot"?)`;
    const wrong = VALID.replace('{{ is_bot }}', '{{ is_robot }}')
      .replace('count-of-users', 'wrong-one')
      .replace('/count', '/wrong');
    await writeFile(join(folder, 'wrong.yaml'), wrong);
    expect((await onTables('endpoint', 'run', 'count-of-users')).code).to.equal(0);
    expect((await onTables('endpoint', 'test', 'count-of-users')).code).to.equal(0);
    const ran = await onTables('endpoint', 'run', 'wrong-one');
    expect([ran.code, ran.err]).to.deep.equal([2, `wrong-one is broken:\n  ${problem}\n`]);
    const all = await onTables('endpoint', 'test', '--all', '--json');
    const verifications = JSON.parse(all.out) as { name: string; ok: boolean; checks: unknown[] }[];
    expect([all.code, verifications.map(({ name, ok }) => [name, ok])]).to.deep.equal([
      1,
      [
        ['wrong-one', false],
        ['count-of-users', true],
      ],
    ]);
    expect(verifications[0]?.checks).to.deep.equal([
      {
        kind: 'definition',
        name: problem,
        ok: false,
        place: { file: join(folder, 'wrong.yaml'), line: 8, column: 67 },
        ms: 0,
      },
    ]);
    const listed = await onTables('endpoint', 'list', '--json');
    const list = JSON.parse(listed.out) as { readonly version?: string }[];
    const version = list[0]?.version;
    expect(version).to.match(/^[\w-]{16,}$/);
    expect([listed.code, list]).to.deep.equal([
      1,
      [
        {
          ...{ name: 'count-of-users', version },
          path: '/v1/users/count/',
          parameters: ['is_bot'],
          summary: 'Number of users',
          file: join(folder, 'count-of-users.yaml'),
        },
        { name: 'wrong-one', path: '/v1/users/wrong/', problems: [problem], file: join(folder, 'wrong.yaml') },
      ],
    ]);
  });

  it('checks for SQL that this kind of database cannot run, and for names that the folder already uses', async () => {
    const strange = VALID.replace('COUNT(*)', 'SOUNDEX(login)');
    await writeFile(join(folder, 'count-of-users.yaml'), strange);
    const embedded = await endpoint('check');
    expect([embedded.code, embedded.out]).to.deep.equal([
      1,
      `${join(folder, 'count-of-users.yaml')}:8:13 sql: duckdb cannot run this: The function SOUNDEX is unknown on the embedded database; docs/sql-dialect.md lists the known functions. ` +
        '(got SELECT SOUNDEX(login) AS users FROM github_users WHERE is_bot = {{ is_bot }})\n',
    ]);
    // No server listens on this port. The check must not connect.
    const server = { ...environment, DATABASE_URL: 'mysql://reader@127.0.0.1:1/none' };
    expect((await run(['endpoint', 'check'], { environment: server, cwd: folder })).code).to.equal(0);
    await writeFile(join(folder, 'zz-copy.yaml'), VALID);
    const copy = await endpoint('check', 'zz-copy.yaml');
    expect([copy.code, copy.out]).to.deep.equal([
      1,
      `${join(folder, 'zz-copy.yaml')}:1:7 name: the name "count-of-users" is already used by ${join(folder, 'count-of-users.yaml')}: choose another name\n`,
    ]);
  });

  it('runs an endpoint with parameters', async () => {
    const { code, out } = await onTables('endpoint', 'run', 'count-of-users', '-p', 'is_bot=true', '--json');
    expect(code).to.equal(0);
    expect(JSON.parse(out).data.rows).to.deep.equal([{ users: '0' }]);
  });

  it('prints the message of the database when a run fails', async () => {
    await writeFile(join(folder, 'count-of-users.yaml'), VALID.replace('github_users', 'github_people'));
    const { code, err } = await onTables('endpoint', 'run', 'count-of-users');
    expect(code).to.equal(2);
    expect(err).to.include('"github_people" does not exist');
  });

  it('rejects an empty source, for example from an unset shell variable', async () => {
    const { code, err } = await onTables('data', 'import', '');
    expect([code, err]).to.deep.equal([2, 'A source is empty. Is a variable of the shell not set?\n']);
  });

  it('names the invalid parameter of a run', async () => {
    const { code, err } = await onTables('endpoint', 'run', 'count-of-users', '-p', 'is_bot=perhaps');
    expect([code, err]).to.deep.equal([2, 'is_bot must be true or false, got "perhaps"\n']);
  });

  it('prints the SQL and the plan of a request', async () => {
    const { code, out } = await onTables('endpoint', 'explain', 'count-of-users');
    expect(code).to.equal(0);
    expect(out).to.include('SELECT COUNT(*) AS users FROM github_users').and.include('AGGREGATE');
  });

  it('creates no database for a command that only reads', async () => {
    const { code, err } = await run(['data', 'status'], { environment });
    expect(code).to.equal(2);
    expect(err).to.match(/^There is no database \S+x\.duckdb yet\./);
    expect(existsSync(join(folder, 'x.duckdb'))).to.equal(false);
  });

  it('suggests the nearest name for an unknown endpoint', async () => {
    const { code, err } = await onTables('endpoint', 'test', 'count-of-user');
    expect(code).to.equal(2);
    expect(err).to.include('(did you mean "count-of-users"?)');
  });

  it('rejects all invalid and misspelled settings in one message', async () => {
    const { code, err } = await run(['config'], {
      environment: { PORT: '99999', DATABSE_URL: 'x', DATABASE_URL: 'mysql://db', NOW: 'tomorrow' },
    });
    expect(code).to.equal(2);
    expect(err.trimEnd().split('\n')).to.deep.equal([
      'Wrong settings:',
      '  DATABSE_URL is not a setting; did you mean DATABASE_URL?',
      '  PORT: expected a whole number from 0 to 65535, got "99999"',
      '  NOW: expected an ISO time with its zone, such as 2016-01-01T07:00:00Z, got "tomorrow"',
      '  DATABASE_URL: expected mysql://user:password@host:port/database with a user, got "mysql://db"',
    ]);
  });

  it('generates demo data only in an empty database', async () => {
    await copyEmptyFile(join(folder, 'x.duckdb'));
    const atMidnight = { environment: { ...environment, NOW: '2026-11-20T00:00:00Z' } };
    const first = await run(['data', 'demo', '--events', '500', '--json'], atMidnight);
    expect(first.code).to.equal(0);
    const { events, interrupted, files } = JSON.parse(first.out) as ImportSummary;
    const states = new Set(files.map(({ state }) => state));
    expect([events, interrupted, [...states]]).to.deep.equal([1_143, false, ['imported']]);
    const second = await run(['data', 'demo', '--events', '500'], atMidnight);
    expect(second.code).to.equal(2);
    expect(second.err).to.include('x.duckdb already has 1,143 events');
  });

  it('exits with 0 when its output is closed', async () => {
    const { child, ended } = start(['config'], { environment });
    child.stdout.destroy();
    const { code, err } = await ended;
    expect([code, err]).to.deep.equal([0, '']);
  });

  it('prints what the data contain', async () => {
    const migrated = await run(['data', 'migrate', '--json'], { environment });
    expect([migrated.code, JSON.parse(migrated.out)]).to.deep.equal([0, { database: join(folder, 'x.duckdb') }]);
    const { code, out } = await run(['data', 'status'], { environment });
    expect([code, out]).to.deep.equal([0, '0 events, 0 files, 0 repositories, 0 users\nThere are no events.\n']);
  });

  it('prints the months that have only a part of the events', async () => {
    const months = ['2025-12', ...['01', '02', '03', '04', '05', '06'].map((month) => `2026-${month}`)];
    await requireStore(tables.warehouse).write((writer) =>
      writer.insertRows('mv_event_shares', [
        ...months.map((month) => ['WatchEvent', `${month}-01`, 9, '0.7300', 2, 41, 1000, 1, `4.1 % in ${month}`]),
        ...['ForkEvent', 'IssuesEvent'].map((type) => [type, '2026-06-01', 9, '0.7300', 0, 0, 0, 1, '2026-06']),
        ['PushEvent', '2026-06-01', 9, '0.7300', 0, 0, 0, 0, '2026-06'],
      ]),
    );
    const { code, err } = await onTables('data', 'status');
    const shares = months.slice(1).map((month) => `${month} (about 4.1 %)`);
    expect([code, err.trimEnd().split('\n')]).to.deep.equal([
      0,
      [
        `only a part of WatchEvent in ${shares.join(', ')}, and 1 earlier month`,
        'only a part of ForkEvent, IssuesEvent in 2026-06',
      ],
    ]);
    const { partialMonths } = JSON.parse((await onTables('data', 'status', '--json')).out);
    expect([partialMonths.length, partialMonths[0]]).to.deep.equal([
      9,
      { type: 'WatchEvent', month: '2025-12', events: 9, share: 0.041, repositories: 2 },
    ]);
  });

  it('prints as JSON what it replaced and computed', async () => {
    const printed: unknown[] = [];
    const files = {
      'collections.json': [
        { id: 1, name: 'Own', public: true, items: [{ repo_name: 'a/b', repo_id: 1 }, { repo_name: 'a/c' }] },
      ],
      'osdb.json': [{ group_name: 'Own', repo_id: 1, repo_name: 'a/b' }],
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
    for (const words of [
      ['collections', join(folder, 'collections.json')],
      ['osdb', join(folder, 'osdb.json')],
      ['refresh'],
      ['refresh', '--full'],
    ]) {
      const { code, out } = await onTables('data', ...words, '--json');
      printed.push([code, { ...JSON.parse(out), ...(words[0] === 'refresh' && { seconds: 0 }) }]);
    }
    expect(printed).to.deep.equal([
      [0, { collections: 1, items: 1, skipped: ['a/c'] }],
      [0, { repositories: 1 }],
      [0, { full: false, seconds: 0 }],
      [0, { full: true, seconds: 0 }],
    ]);
  });
});

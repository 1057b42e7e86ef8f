import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo, copyEmptyFile, NOW } from '../service/demo-data.js';
import { onBothDatabases } from '../services/mysql.js';
import { type RunOptions, run, runProcess, serveHere } from './command-line.js';
import { type HereOptions, openHere, runHere } from './commands-here.js';

const GROUPED = `SELECT actor_login, COUNT(*), MAX(created_at) AS newest, AVG(additions) AS size FROM github_events e WHERE repo_id = 41986369 AND created_at >= '2024-01-01' AND type IN ('WatchEvent', 'ForkEvent') AND actor_login LIKE '%a%' GROUP BY actor_login HAVING COUNT(*) > 1 ORDER BY 2 DESC, actor_login LIMIT 10;
`;

const DEFINITION = `name: events-by-actor-login
path: /v1/events-by-actor-login/{repo_id}/
summary: Events by actor login
params:
  repo_id: { in: path, type: integer, description: Id of the repository., example: 41986369 }
  from:
    in: query
    type: string
    format: date
    default: '2024-01-01'
    description: Smallest value of \`created_at\`. A day in UTC.
  types:
    in: query
    type: array
    default: [WatchEvent, ForkEvent]
    items:
      type: string
      enum:
        [ WatchEvent, ForkEvent, PushEvent, IssuesEvent, IssueCommentEvent, PullRequestEvent, PullRequestReviewEvent,
          PullRequestReviewCommentEvent, CreateEvent, DeleteEvent, ReleaseEvent, CommitCommentEvent, MemberEvent,
          PublicEvent, GollumEvent ]
    maxItems: 20
    description: Values of \`type\`.
  actor_login:
    in: query
    type: string
    default: a
    maxLength: 100
    description: Text that \`actor_login\` contains; \`%\` and \`_\` are wildcards.
pagination: { default: 10, max: 100 }
columns:
  - { col: actor_login, data_type: VARCHAR, nullable: true, description: Login of the actor at that time }
  - { col: count, data_type: BIGINT, nullable: false, description: Number of rows }
  - { col: newest, data_type: DATETIME, nullable: false, description: Largest created_at }
  - { col: size, data_type: DECIMAL, scale: 4, nullable: true, description: Average of additions }
sql: |
  SELECT actor_login, COUNT(*) AS count, MAX(created_at) AS newest, AVG(additions) AS size
  FROM github_events e
  WHERE repo_id = {{ repo_id }} AND created_at >= {{ from }} AND type IN ({{ types }}) AND actor_login LIKE CONCAT('%', {{ actor_login }}, '%')
  GROUP BY actor_login
  HAVING COUNT(*) > 1
  ORDER BY 2 DESC, actor_login
data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage
examples:
  - { name: the values of the SELECT, params: { repo_id: 41986369, from: '2024-01-01', types: [WatchEvent, ForkEvent], actor_login: a } }
`;

const OF_TABLE = `name: repo-stars
path: /v1/repo-stars/
summary: The days on which accounts starred a repository, from star events (WatchEvent)
pagination: { default: 30, max: 100 }
columns:
  - { col: repo_id, data_type: BIGINT, nullable: false, description: Id of the repository }
  - { col: user_id, data_type: BIGINT, nullable: false, description: Id of the account }
  - { col: day, data_type: DATE, nullable: false, description: 'The day, in UTC' }
sql: |
  SELECT
    repo_id,
    user_id,
    day
  FROM mv_repo_stars
  ORDER BY repo_id, user_id, day
data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage WHERE type = 'WatchEvent'
examples:
  - { name: the values of the SELECT, params: {} }
`;

onBothDatabases('a new definition', (database) => {
  let folder: string;
  let environment: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-new-'));
    environment = { DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: join(folder, 'own'), NOW, ...database() };
    await copyDemo(readSettings(environment), { events: 500 });
  });
  beforeEach(() => mkdir(join(folder, 'own')));
  afterEach(() => rm(join(folder, 'own'), { recursive: true }));
  after(() => rm(folder, { recursive: true }));

  const endpoint = async (words: readonly string[], options: RunOptions = {}) => {
    const { code, out, err } = await run(['endpoint', ...words], { environment, cwd: folder, ...options });
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  };

  it('from a SELECT passes its check, its test and the format without changes', async () => {
    const created = await endpoint(['new', '--sql', '-'], { input: GROUPED });
    expect(await readFile(join(folder, 'own', 'events-by-actor-login.yaml'), 'utf8')).to.equal(DEFINITION);
    // Only a server knows whether the average can be NULL, so this line differs between databases.
    const nulls = created.err.replace(/^Columns nullable: .*\n/m, '');
    expect({ ...created, err: nulls }).to.deep.equal({
      code: 0,
      out: `wrote own/events-by-actor-login.yaml
ok: 123 checks, 0 failed
The values of the SELECT return no rows.
`,
      err: `1 stays in the SQL: 0 and 1 usually select a kind of rows.
LIMIT 10 becomes pages of 10 rows.
Next: edit own/events-by-actor-login.yaml, then run \`endpoint test events-by-actor-login\`.
The service answers at http://127.0.0.1:3450/v1/events-by-actor-login/41986369/ after \`endpoint reload\`, or at once with \`serve --watch\`.
`,
    });
    expect((await endpoint(['check'])).err).to.equal('1 valid, 0 problems\n');
    expect((await endpoint(['test', '--all'])).code).to.equal(0);
    expect((await endpoint(['format', '--check'])).err).to.equal('1 file, 0 would change, 0 problems\n');
    expect((await endpoint(['columns', 'events-by-actor-login'])).err).to.equal('4 columns, 0 differ\n');
  });

  it('from a table returns its public columns in a complete order', async () => {
    const { code, out, err } = await endpoint(['new', '--table', 'mv_repo_stars', '--dry-run']);
    expect([code, out]).to.deep.equal([0, OF_TABLE]);
    expect(err.split('\n')[0]).to.equal('ok: 67 checks, 0 failed');
    expect(await readdir(join(folder, 'own'))).to.deep.equal([]);
    const users = JSON.parse((await endpoint(['new', '--table', 'github_users', '--dry-run', '--json'])).out);
    expect([users.ok, users.isWritten, users.text.includes('email')]).to.deep.equal([true, false, false]);
    expect(await endpoint(['new', '--table', 'sys_users'])).to.deep.equal({
      code: 2,
      out: '',
      err: '--table sys_users: the database has no such table that a definition can read.\n',
    });
  });

  it('is not written for a SELECT that the database rejects, at the place in the file of the author', async () => {
    await writeFile(join(folder, 'q.sql'), 'SELECT login,\n  nme\nFROM github_users\n');
    expect(await endpoint(['new', '--sql', 'q.sql'])).to.deep.equal({
      code: 2,
      out: '',
      err: 'q.sql:2:3 the database cannot run this: unknown column "nme" (did you mean "name"?)\n',
    });
    expect(await readdir(join(folder, 'own'))).to.deep.equal([]);
  });
});

describe('endpoint new', () => {
  let folder: string;
  let environment: Record<string, string>;
  let warehouse: Warehouse;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-new-'));
    environment = { DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: join(folder, 'own'), NOW };
    await copyDemo(readSettings(environment), { events: 500 });
    warehouse = await openHere(environment);
  });
  beforeEach(() => mkdir(join(folder, 'own')));
  afterEach(() => rm(join(folder, 'own'), { recursive: true }));
  after(async () => {
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  const create = async (words: readonly string[], options: HereOptions = {}) => {
    const all = ['endpoint', 'new', ...words];
    const { code, out, err } = await runHere(all, readSettings(environment), warehouse, { cwd: folder, ...options });
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  };
  const rejects = async (words: readonly string[], message: string, options: HereOptions = {}) =>
    expect(await create(words, options)).to.deep.equal({ code: 2, out: '', err: `${message}\n` });

  it('has names for unnamed and repeated columns, and the public columns instead of *', async () => {
    const input =
      'SELECT u.id, r.repo_id AS id, COUNT(*), UPPER(u.login) FROM github_users u, github_repos r GROUP BY 1, 2, 4\n';
    const { out } = await create(['--sql', '-', '--dry-run', '--json'], {
      input: input.replace(' AS id', ''),
    });
    expect(JSON.parse(out).text).to.contain(
      'SELECT u.id, r.repo_id, COUNT(*) AS count, UPPER(u.login) AS upper_login\n',
    );
    const star = await create(['--sql', '-', '--dry-run'], {
      input: 'SELECT c.* FROM collections c WHERE c.id = 1',
    });
    expect(star.out).to.contain(`sql: |
  SELECT c.id, c.name, c.public
  FROM collections c
  WHERE c.id = {{ id }}
`);
    expect(star.code).to.equal(0);
  });

  it('is not written for a wrong SELECT: each mistake has the place in the file of the author', async () => {
    const file = join(folder, 'q.sql');
    const mistakes: Readonly<Record<string, string>> = {
      '-- users\nSELEC 1\n': '2:7 not SQL: "1" is unexpected here',
      'SELECT NOW() AS a': '1:8 NOW reads the clock of the database: use {{ now }}, the clock of the service in UTC',
      'SELECT login\nFROM github_users\nWHERE email = 1': '3:7 the column email of github_users is private: remove it',
      'SELECT {{ x }} AS a':
        '1:8 only {{ now }}, {{ hour }} and {{ today }} are allowed: write other values, and they become parameters',
      'SELECT id FROM github_users WHERE id = :p1': '1:40 write a value instead of the marker :p1',
      'SELECT\n  u.*, 1 AS one FROM github_users u':
        '2:3 write the columns instead of *: it is not the only expression of the SELECT',
      ' ;\n': '1:1 the SELECT is empty',
    };
    for (const [text, message] of Object.entries(mistakes)) {
      await writeFile(file, text);
      expect(await create(['--sql', 'q.sql'])).to.deep.equal({ code: 2, out: '', err: `q.sql:${message}\n` });
    }
    expect(await readdir(join(folder, 'own'))).to.deep.equal([]);
  });

  it('does not overwrite a file or use a name or a route that another definition has', async () => {
    const input = 'SELECT id, name FROM collections ORDER BY id';
    const words = ['--sql', '-', '--name', 'sets', '--path', '/v1/sets/'];
    expect((await create(words, { input })).code).to.equal(0);
    await rejects(words, 'The name sets is already used by own/sets.yaml.', { input });
    await rejects(
      ['--sql', '-', '--name', 'all', '--path', '/v1/sets'],
      'The path /v1/sets matches the same URLs as /v1/sets/.',
      { input },
    );
    await rejects(
      ['--sql', '-', '--name', 'all', '--out', 'own/sets.yaml'],
      'own/sets.yaml exists already: use another --name or --out, or --force to overwrite it.',
      { input },
    );
    await rejects(['--sql', '-', '--out', 'a.json'], '--out: expected a file name that ends with .yaml, got a.json.', {
      input,
    });
    expect((await create([...words, '--out', 'own/sets.yaml', '--force'], { input })).code).to.equal(0);
    // The proposed name must not be in use.
    const { out } = await create(['--sql', '-'], { input: 'SELECT name AS title FROM collections ORDER BY id' });
    const again = await create(['--sql', '-'], { input: 'SELECT name AS title FROM collections ORDER BY id' });
    expect([out, again.out].map((text) => text.split('\n')[0])).to.deep.equal([
      'wrote own/collections.yaml',
      'wrote own/collections-2.yaml',
    ]);
  });

  it('names the option of a folder that cannot be created', async () => {
    await writeFile(join(folder, 'own', 'file'), '');
    const words = ['--table', 'collections', '--out', 'own/file/sets.yaml'];
    await rejects(words, 'The folder own/file of --out cannot be used: a file with this name exists.');
  });

  it('is shown with its warnings', async () => {
    const words = ['--sql', '-', '--name', 'pushes', '--dry-run'];
    const input = 'SELECT repo_name, COUNT(*) AS n FROM github_events';
    const warning =
      'warning: own/pushes.yaml:8:10 sql: The aggregates make one row of all rows, and repo_name is the value of any one of them. Add GROUP BY repo_name, or write an aggregate such as MAX(repo_name), or ANY_VALUE(repo_name) if all values are equal [ungrouped-column]';
    expect((await create(words, { input })).err.split('\n')).to.contain(warning);
    const { ok, warnings } = JSON.parse((await create([...words, '--json'], { input })).out);
    expect([ok, warnings.map(({ rule }: { rule: string }) => rule)]).to.deep.equal([true, ['ungrouped-column']]);
  });

  it('knows the age of all tables of a UNION', async () => {
    const input = 'SELECT repo_id FROM mv_repo_stars UNION SELECT repo_id FROM mv_repo_forks ORDER BY repo_id';
    expect((await create(['--sql', '-', '--dry-run'], { input })).out).to.contain(
      'data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage\n',
    );
  });

  it('lets the caller name and keep literals', async () => {
    const input =
      "SELECT COUNT(*) AS n FROM github_events WHERE type = 'PushEvent' AND number > 5 AND action <> 'closed' LIMIT 7";
    const words = [
      '--sql',
      '-',
      '--dry-run',
      '--param',
      'kind=PushEvent',
      '--param',
      'without=closed',
      '--keep',
      '5',
      '--keep',
      'LIMIT',
    ];
    const { code, out, err } = await create(words, { input });
    expect(code).to.equal(0);
    expect(out).to.contain(`sql: |
  SELECT COUNT(*) AS n
  FROM github_events
  WHERE type = {{ kind }} AND number > 5 AND action <> {{ without }}
  LIMIT 7
`);
    expect(out).to.contain(
      '  without: { in: query, type: string, default: closed, maxLength: 32, description: Excluded value of `action`. }\n',
    );
    expect(err).to.match(/^5 stays in the SQL: you chose to keep it\.$/m);
    const known = "'PushEvent'; 5; 'closed'";
    const table =
      '--table github_user: the database has no such table that a definition can read (did you mean "github_users"?).';
    await rejects(['--table', 'github_user'], table);
    await rejects(['--sql', '-', '--param', 'a=9'], `--param a=9: expected one of ${known}, got 9.`, { input });
    await rejects(['--sql', '-', '--keep', 'x'], `--keep x: expected one of ${known}, got x.`, { input });
  });

  it('asks on a terminal for the SELECT, the literals and the names', async () => {
    const answers = [
      'SELEC 1;',
      'SELECT login FROM github_users',
      "WHERE country_code = 'DE' AND followers >= 10",
      'ORDER BY id;',
      '-',
      '',
      'germans',
      '',
      'Germans',
      '',
    ];
    const { code, out, err } = await create([], { answers });
    expect(code, err).to.equal(0);
    expect(
      err.slice(0, err.indexOf('Next')),
    ).to.equal(`SELECT (an empty line or ; ends it), or the name of a table: [] SELEC 1;
your SELECT:1:7 not SQL: "1" is unexpected here
SELECT: [] SELECT login FROM github_users
… [] WHERE country_code = 'DE' AND followers >= 10
… [] ORDER BY id;
'DE' for country_code: parameter, or - to keep it [country_code] -
10 for followers: parameter, or - to keep it [min_followers] 
Name [users] germans
Path [/v1/germans/] 
Summary [The accounts of people, organizations and bots] Germans
File [own/germans.yaml] 
'DE' stays in the SQL: you chose to keep it.
`);
    expect(out.split('\n')[0]).to.equal('wrote own/germans.yaml');
    expect(await readFile(join(folder, 'own', 'germans.yaml'), 'utf8')).to.equal(`name: germans
path: /v1/germans/
summary: Germans
params:
  min_followers: { in: query, type: integer, default: 10, description: Smallest value of \`followers\`. }
columns:
  - { col: login, data_type: VARCHAR, nullable: false, description: Present login }
sql: |
  SELECT login FROM github_users
  WHERE country_code = 'DE' AND followers >= {{ min_followers }}
  ORDER BY id
data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage
examples:
  - { name: the values of the SELECT, params: { min_followers: 10 } }
`);
  });

  it('never waits for answers without a terminal', async () => {
    const sources = 'Use --sql <file>, --sql - or --table <name>.';
    await rejects([], `${sources} Without them, \`endpoint new\` asks, which needs a terminal.`);
    await rejects(['--sql', '-'], '--sql -: expected a SELECT on the standard input, got nothing.', { input: '' });
    await rejects(['--sql', 'a.sql', '--table', 'b'], 'Use --sql or --table, not both.');
    const ended = await runProcess(['endpoint', 'new'], { environment });
    expect(ended).to.deep.equal({
      code: 2,
      out: '',
      err: `${sources} Without them, \`endpoint new\` asks, which needs a terminal.\n`,
    });
  });

  it('runs in the service that has the database open, with the SELECT of the caller', async () => {
    await create(['--table', 'collections'], {});
    const other = { ...environment, DATA_DIR: join(folder, 'other') };
    await copyEmptyFile(databaseFile(readSettings(other)) ?? '');
    const server = await serveHere(other);
    try {
      const input = 'SELECT id FROM collections ORDER BY id';
      const options = { environment: other, cwd: folder, input };
      const { code, out } = await run(['endpoint', 'new', '--sql', '-'], options);
      expect([code, out.split('\n')[0]?.replace(`${folder}/`, '')]).to.deep.equal([0, 'wrote own/collections-2.yaml']);
    } finally {
      await server.close();
    }
  });
});

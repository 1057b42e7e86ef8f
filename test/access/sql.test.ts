import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { signToken } from '../../accounts/identity/bearer-tokens.js';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { call, connectHttp, connectStdio } from '../mcp/mcp-client.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';
import { ATTEMPTS, CLAIMS, DEFINITION, FILTERS, PUBLISHED, statementsOf, type Tenant, writeFiles } from './ledger.js';
import { createKey } from './tenants.js';

const SECRET = 'a secret of more than thirty-two bytes';
const ENVIRONMENT = { PORT: '0', LOG_LEVEL: 'silent', JWT_SECRET: SECRET, PLAYGROUND_PER_MINUTE: '0' };

/** The rows of all tenants with row filters, or those of one tenant without row filters. */
interface World {
  readonly folder: string;
  readonly tenants: readonly Tenant[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Served {
  readonly folder: string;
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Serves an API over files, or over the database of the environment, and creates its API keys. */
async function serve({ folder, tenants, environment }: World, access = 'access: key\n'): Promise<Served> {
  for (const name of ['endpoints', 'tables']) await mkdir(join(folder, name), { recursive: true });
  if (environment === undefined) await writeFiles(folder, tenants);
  await writeFile(join(folder, 'api.yaml'), `title: Bank\n${access}${CLAIMS}${PUBLISHED}`);
  await writeFile(join(folder, 'endpoints', 'one.yaml'), DEFINITION);
  for (const name of ['ledger', 'clerks', 'branches']) {
    const source = environment === undefined ? [`source: data/${name}.csv`] : [];
    const filter = tenants.length > 1 && name in FILTERS ? [`row_filter: ${FILTERS[name]}`] : [];
    const text = [...source, ...filter].join('\n');
    if (text !== '') await writeFile(join(folder, 'tables', `${name}.yaml`), `${text}\n`);
  }
  const create = async (name: string, ...words: string[]) => [name, (await createKey(folder, [name, ...words])).secret];
  const entries = [
    await create('acme', '--scope', '*', '--claim', 'tenant=acme'),
    await create('other', '--scope', '*', '--claim', 'tenant=other'),
    await create('unclaimed', '--scope', '*'),
    await create('scoped', '--scope', 'one', '--claim', 'tenant=acme'),
    await create('revoked', '--scope', '*', '--claim', 'tenant=acme'),
  ];
  await run(['keys', 'revoke', 'revoked', '--yes'], { cwd: folder });
  const url = await listening(startHere(['serve'], { cwd: folder, environment: { ...ENVIRONMENT, ...environment } }));
  return { folder, url, keys: Object.fromEntries(entries) };
}

type Headers = Readonly<Record<string, string>>;

function keyOf({ keys }: Served, name: string): Headers {
  return { 'X-API-Key': keys[name] ?? '' };
}

/** Runs SQL with `POST /q/playground/`. Returns the status and either the rows with their columns, or the error. */
async function ask({ url }: Served, sql: string, headers: Headers): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/q/playground/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ sql }),
  });
  const { code, detail, fields, data, truncated } = (await response.json()) as Record<string, unknown>;
  return response.status === 200 ? [200, fields, data, truncated] : [response.status, code, detail];
}

/** The number of attempts that are not a SELECT over published tables and columns. */
const REJECTED = 39;

/** Defines the tests of row filters: each attempt has the same outcome as over the rows of one tenant alone. */
function testRows(worlds: () => { readonly all: World; readonly alone: World }): void {
  let all: Served;
  let alone: Served;
  before(async () => {
    const { all: shared, alone: separate } = worlds();
    all = await serve(shared);
    alone = await serve(separate);
  });
  after(stopAll);

  it('returns to each tenant its rows only', async () => {
    const rowsOf = async (name: string) =>
      (await ask(all, 'SELECT id, note FROM ledger ORDER BY id', keyOf(all, name)))[2];
    expect([await rowsOf('acme'), await rowsOf('other')]).to.deep.equal([
      [
        { id: 1, note: '{"a":1}' },
        { id: 2, note: '{"a":2}' },
        { id: 3, note: 'null' },
      ],
      [
        { id: 4, note: 'TOPSECRET' },
        { id: 5, note: '{"a":' },
      ],
    ]);
  });

  it(`has for each of ${ATTEMPTS.length} attempts the outcome of a database without the rows of others`, async () => {
    const differences: unknown[] = [];
    let rejected = 0;
    for (const sql of ATTEMPTS) {
      const got = await ask(all, sql, keyOf(all, 'acme'));
      // Rejected SQL reads no rows.
      if (got[1] === 'sql_refused') {
        rejected += 1;
        continue;
      }
      const expected = await ask(alone, sql, keyOf(alone, 'acme'));
      if (JSON.stringify(got) !== JSON.stringify(expected)) differences.push({ sql, got, expected });
    }
    expect(JSON.stringify(differences, null, 1)).to.equal('[]');
    expect(rejected).to.equal(REJECTED);
  });

  it('keeps equal SQL of two callers apart at the same time', async () => {
    const sql = 'SELECT COUNT(*) AS n, MIN(id) AS first FROM ledger';
    const names = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'acme' : 'other'));
    const answers = await Promise.all(names.map((name) => ask(all, sql, keyOf(all, name))));
    const expected = names.map((name) => [name === 'acme' ? { n: 3, first: 1 } : { n: 2, first: 4 }]);
    expect(answers.map(([, , rows]) => rows)).to.deep.equal(expected);
  });

  it('needs the claim only for tables with a row filter', async () => {
    const unclaimed = keyOf(all, 'unclaimed');
    const denied = [403, 'access_denied', 'This endpoint needs the claim tenant, which the credential does not have.'];
    for (const sql of ['SELECT id FROM ledger', 'SELECT (SELECT COUNT(*) FROM clerks) AS n FROM branches'])
      expect(await ask(all, sql, unclaimed), sql).to.deep.equal(denied);
    const [status, , rows] = await ask(all, "SELECT note FROM branches WHERE code = 'south'", unclaimed);
    expect([status, rows]).to.deep.equal([200, [{ note: 'null' }]]);
  });

  it('returns to language models the same rows and errors', async () => {
    const client = await connectHttp({ service: all }, '2026-07-28', keyOf(all, 'acme'));
    const rowsOf = async (sql: string) => (await call(client, 'run_sql', { sql })).content.rows;
    expect(await rowsOf('SELECT id FROM ledger ORDER BY id')).to.deep.equal([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(await rowsOf('SELECT name FROM clerks ORDER BY id')).to.deep.equal([{ name: 'Ada' }, { name: 'Cy' }]);
    const { error } = await call(client, 'run_sql', { sql: 'SELECT tenant FROM ledger' });
    expect(error).to.deep.include({ code: 'sql_refused' });
    await client.close();
  });
}

describeEmbedded('SQL of callers over files with row filters', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-ledger-'));
  });
  after(() => rm(folder, { recursive: true }));

  testRows(() => ({
    all: { folder: join(folder, 'all'), tenants: ['acme', 'other'] },
    alone: { folder: join(folder, 'alone'), tenants: ['acme'] },
  }));
});

describe(`SQL of callers over a ${SERVER} database with row filters`, () => {
  const [all, alone] = [useMysql(), useMysql()];
  let folder: string;
  let columns: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-ledger-'));
    await execute(all.url, ...statementsOf(['acme', 'other']));
    await execute(alone.url, ...statementsOf(['acme']));
    const user = `'player_${all.name}'@'%'`;
    await execute(
      all.url,
      `CREATE USER IF NOT EXISTS ${user}`,
      `ALTER USER ${user} IDENTIFIED BY 'secret'`,
      `GRANT SELECT (id, tenant, branch, amount, note) ON ${all.name}.ledger TO ${user}`,
      `GRANT SELECT (id, name, owner) ON ${all.name}.clerks TO ${user}`,
      `GRANT SELECT ON ${all.name}.branches TO ${user}`,
    );
    const url = new URL(all.url);
    url.username = `player_${all.name}`;
    url.password = 'secret';
    columns = url.href;
  });
  after(() => rm(folder, { recursive: true }));

  const environmentOf = (url: string) => ({ DATABASE_URL: url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' });
  testRows(() => ({
    all: {
      folder: join(folder, 'all'),
      tenants: ['acme', 'other'],
      environment: { ...environmentOf(all.url), PLAYGROUND_DATABASE_URL: columns },
    },
    alone: { folder: join(folder, 'alone'), tenants: ['acme'], environment: environmentOf(alone.url) },
  }));

  it('needs an account that can read the columns of row filters', async () => {
    await execute(all.url, `REVOKE SELECT (tenant) ON ${all.name}.ledger FROM 'player_${all.name}'@'%'`);
    const environment = { ...ENVIRONMENT, ...environmentOf(all.url), PLAYGROUND_DATABASE_URL: columns };
    const { code, err } = await run(['serve'], { cwd: join(folder, 'all'), environment });
    expect([
      code,
      err.includes('cannot read these columns, which api.yaml publishes or a row_filter reads: ledger.tenant.'),
    ]).to.deep.equal([2, true]);
  });
});

/** What a caller gets: the status, or the code of an error over MCP. */
type Outcome = number | string;

describeEmbedded('access to SQL of callers', () => {
  let folder: string;
  let bank: Served;
  let callers: Readonly<Record<string, Headers>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-ledger-'));
    bank = await serve({ folder, tenants: ['acme', 'other'] });
    const rules = { issuer: 'repo-insight', audience: 'repo-insight' };
    const token = await signToken(
      rules,
      SECRET,
      { sub: 'ada', tenant: 'acme' },
      3_000_000_000,
      new Date('2026-01-01T00:00:00Z'),
    );
    const acme = keyOf(bank, 'acme');
    callers = {
      anonymous: {},
      forged: { 'X-API-Key': `${(acme['X-API-Key'] ?? '').slice(0, 13)}${'a'.repeat(43)}` },
      revoked: keyOf(bank, 'revoked'),
      scoped: keyOf(bank, 'scoped'),
      token: { Authorization: `Bearer ${token}` },
      acme,
      bearer: { Authorization: `Bearer ${acme['X-API-Key']}` },
    };
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const get = (path: string, headers: Headers) => fetch(`${bank.url}${path}`, { headers });
  const overMcp = async (headers: Headers, use: (client: Client) => Promise<unknown>): Promise<Outcome> => {
    const client = await connectHttp({ service: bank }, '2026-07-28', headers);
    try {
      return (await use(client)) === undefined ? 'ok' : 'hidden';
    } catch (error) {
      return /(\w+): /.exec((error as Error).message)?.[1] ?? (error as Error).message;
    } finally {
      await client.close();
    }
  };
  const runOverMcp = (sql: string) => async (client: Client) => {
    const { error } = await call(client, 'run_sql', { sql });
    if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
  };

  const ways: Readonly<Record<string, (headers: Headers) => Promise<Outcome>>> = {
    'POST /q/playground/': async (headers) => (await ask(bank, 'SELECT id FROM ledger', headers))[0] as number,
    'a table without a filter': async (headers) => (await ask(bank, 'SELECT code FROM branches', headers))[0] as number,
    'SHOW TABLES': async (headers) => (await ask(bank, 'SHOW TABLES', headers))[0] as number,
    'DESCRIBE ledger': async (headers) => (await ask(bank, 'DESCRIBE ledger', headers))[0] as number,
    '/q/tables/': async (headers) => (await get('/q/tables/', headers)).status,
    '/q/tables/{name}/': async (headers) => (await get('/q/tables/ledger/', headers)).status,
    run_sql: (headers) => overMcp(headers, runOverMcp('SELECT id FROM ledger')),
    'SHOW TABLES with run_sql': (headers) => overMcp(headers, runOverMcp('SHOW TABLES')),
    'resources/read': (headers) =>
      overMcp(headers, async (client) => {
        await client.readResource({ uri: 'repo-insight://tables/ledger' });
      }),
    'tools/list': (headers) =>
      overMcp(headers, async (client) => {
        const { tools } = await client.listTools();
        return tools.some(({ name }) => name === 'run_sql') ? undefined : tools;
      }),
    'resources/list': (headers) =>
      overMcp(headers, async (client) => {
        const { resources } = await client.listResources();
        return resources.length === 3 ? undefined : resources;
      }),
  };

  /** Written independently of the program. */
  const expected: Readonly<Record<string, readonly [status: number, code: string, list: string]>> = {
    anonymous: [401, 'credential_missing', 'hidden'],
    forged: [401, 'credential_invalid', 'credential_invalid'],
    revoked: [401, 'credential_invalid', 'credential_invalid'],
    scoped: [403, 'access_denied', 'hidden'],
    token: [403, 'access_denied', 'hidden'],
    acme: [200, 'ok', 'ok'],
    bearer: [200, 'ok', 'ok'],
  };

  for (const [way, read] of Object.entries(ways)) {
    it(`${way}: for each caller`, async () => {
      const outcomes = [];
      for (const [name, headers] of Object.entries(callers)) outcomes.push([name, await read(headers)]);
      const isList = way.endsWith('/list');
      const isHttp = /^[A-Z/a-z]/.test(way) && !/run_sql|resources|tools/.test(way);
      const wanted = Object.entries(expected).map(([name, [status, code, list]]) => {
        return [name, isHttp ? status : isList ? list : code];
      });
      expect(outcomes).to.deep.equal(wanted);
    });
  }

  it('explains that an API key needs every scope', async () => {
    expect(await ask(bank, 'SELECT 1', callers.scoped ?? {})).to.deep.equal([
      403,
      'access_denied',
      'SQL of callers needs an API key with the scope *, because SQL is not one of the endpoints that other scopes name.',
    ]);
  });

  it('names tables and columns only to callers with access', async () => {
    const texts = await Promise.all(
      ['/', '/openapi.json', '/openapi-3.0.json', '/docs/json', '/docs', '/playground', '/e', '/q/tables/none/'].map(
        async (path) => (await fetch(`${bank.url}${path}`, { headers: { accept: 'text/html, */*' } })).text(),
      ),
    );
    for (const text of texts) expect(text).not.to.match(/ledger|clerks|amount/i);
    const unknown = await get('/q/tables/ledgr/', keyOf(bank, 'acme'));
    expect([unknown.status, await unknown.text()]).to.match(/404,.*did you mean \\"ledger\\"/);
    const { headers } = await get('/q/tables/ledger/', keyOf(bank, 'acme'));
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('describes credentials and errors of its operations', async () => {
    const { paths } = (await (await get('/openapi.json', {})).json()) as {
      paths: Record<string, Record<string, { security: unknown; responses: Record<string, { $ref?: string }> }>>;
    };
    const described = [paths['/q/playground/']?.post, paths['/q/tables/']?.get, paths['/q/tables/{name}/']?.get];
    for (const operation of described) {
      expect(operation?.security).to.deep.equal([{ bearer: [] }, { key: [] }]);
      expect(Object.keys(operation?.responses ?? {})).to.include.members(['200', '401', '403']);
    }
  });

  it('is not offered by a server over standard input, whose client has no credential', async () => {
    const client = await connectStdio({}, '2026-07-28', [], folder);
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { error } = await call(client, 'run_sql', { sql: 'SHOW TABLES' });
    await client.close();
    expect([tools, resources, error?.code]).to.deep.equal([[], [], 'credential_missing']);
  });
});

describeEmbedded('public SQL of callers over tables with row filters', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-ledger-'));
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  it('does not start if a condition depends on the caller, or reads an unknown column', async () => {
    const world = { folder: join(folder, 'wrong'), tenants: ['acme', 'other'] } as const;
    const start = async (filter: string, access: string) => {
      await mkdir(join(world.folder, 'tables'), { recursive: true });
      await mkdir(join(world.folder, 'endpoints'), { recursive: true });
      await writeFiles(world.folder, world.tenants);
      await writeFile(join(world.folder, 'endpoints', 'one.yaml'), DEFINITION);
      await writeFile(join(world.folder, 'api.yaml'), `title: Bank\n${access}${CLAIMS}published: { ledger: [id] }\n`);
      await writeFile(join(world.folder, 'tables', 'branches.yaml'), 'source: data/branches.csv\n');
      await writeFile(join(world.folder, 'tables', 'ledger.yaml'), `source: data/ledger.csv\nrow_filter: ${filter}\n`);
      const { code, err } = await run(['mcp'], { cwd: world.folder, environment: ENVIRONMENT });
      return [code, err];
    };
    expect(await start('tenant = {{ caller.claims.tenant }}', '')).to.deep.equal([
      2,
      'api.yaml: published: the row_filter of ledger depends on caller.claims.tenant, so SQL of callers cannot be public: add the key access\n',
    ]);
    expect(await start('tenat = {{ caller.claims.tenant }}', 'access: key\n')).to.deep.equal([
      2,
      'api.yaml: published: the table ledger has no column tenat, which its row_filter reads (did you mean "tenant"?)\n',
    ]);
  });

  it('reads the rows of a condition without values of the caller', async () => {
    const open = { folder: join(folder, 'open'), tenants: ['acme'] } as const;
    await mkdir(join(open.folder, 'tables'), { recursive: true });
    const service = await serve(open, '');
    stopAll();
    await writeFile(
      join(service.folder, 'tables', 'ledger.yaml'),
      "source: data/ledger.csv\nrow_filter: tenant = 'acme' AND id <> 2\n",
    );
    const url = await listening(startHere(['serve'], { cwd: service.folder, environment: ENVIRONMENT }));
    const [status, , rows] = await ask({ ...service, url }, 'SELECT id FROM ledger ORDER BY id', {});
    expect([status, rows]).to.deep.equal([200, [{ id: 1 }, { id: 3 }]]);
    const tables = (await (await fetch(`${url}/q/tables/`)).json()) as { data: { name: string }[] };
    expect(tables.data.map(({ name }) => name)).to.deep.equal(['ledger', 'clerks', 'branches']);
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security: unknown }>>;
    };
    expect(paths['/q/playground/']?.post?.security).to.deep.equal([]);
  });
});

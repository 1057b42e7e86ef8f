import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { createEngine } from '../../engine/embed/index.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { ReloadOptions } from '../../server/live/live-parts.js';
import { startService } from '../../server/service.js';
import { readApiFolder } from '../../server/settings/read-api-folder.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { run } from '../cli/command-line.js';
import { JWT_SECRET, tokenOf } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';

/** All orders of `acme` are in the first rows, and have larger values than those of `other`. */
const ORDERS = `id,tenant,status,total,updated_at
1,acme,secret,1000,2026-03-01 00:00:00
2,acme,secret,2000,2026-03-02 00:00:00
3,other,open,10,2025-01-01 00:00:00
4,other,paid,20,2025-01-02 00:00:00
5,other,open,30,2025-01-03 00:00:00
`;

const COLUMN = '{ col: id, data_type: BIGINT, nullable: false, description: The id. }';

/** A definition of the rows of one column. */
function definition(name: string, sql: string, others = ''): string {
  return `name: ${name}
path: /v1/${name}/
summary: Rows of ${name}
columns: [${COLUMN}]
sql: ${sql}
${others}`;
}

const WITH_ALL = `tags: [Sales]
data_as_of: SELECT MAX(updated_at) FROM orders
pagination: { default: 2, max: 10, total: true }
notices: [{ when: always, sql: "SELECT CONCAT('orders: ', COUNT(*)) AS notice FROM orders" }]
cache: { ttl: 60s }
`;
const CODES = `access: 'role:staff'
params:
  code: { in: query, type: string, default: DE, description: A code., enum: { sql: SELECT code FROM countries } }
`;
const ENDPOINTS = {
  orders: definition('orders', 'SELECT id FROM orders ORDER BY id', WITH_ALL),
  export: definition('export', 'SELECT id FROM orders ORDER BY id', 'limits: { rows: 1, stream_rows: 10 }\n'),
  newest: definition(
    'newest',
    'SELECT id FROM orders WHERE total = ({% once %}SELECT MAX(total) FROM orders{% endonce %})',
    'access: signed-in\n',
  ),
  numbers: definition('numbers', 'SELECT 1 AS id', 'access: public\n'),
  staff: definition('staff', 'SELECT COUNT(*) AS id FROM countries WHERE code = {{ code }}', CODES),
};
const WHO = `name: who
path: /v1/who/
summary: The caller
access: signed-in
columns: [{ col: id, data_type: VARCHAR, nullable: false, description: The id. }]
sql: SELECT {{ caller.id }} AS id
`;

type Headers = Readonly<Record<string, string>> | readonly string[];

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request. A list of headers can contain a name several times. */
function send(url: string, path: string, headers: Headers = {}, method = 'GET', body?: string): Promise<Reply> {
  const { hostname, port, host } = new URL(url);
  const given = Array.isArray(headers) ? ['Host', host, ...headers] : headers;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: given as string[] }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body);
  });
}

/** Returns the facts of an answer that depend on rows, or the error. */
function factsOf({ status, text }: Reply): readonly unknown[] {
  const body = JSON.parse(text) as Record<string, unknown>;
  if (body.detail !== undefined) return [status, body.code, body.detail];
  const { data, total, dataAsOf, notices } = body;
  return [status, { data, total, dataAsOf, notices }];
}

const UNKNOWN_KEY = [401, 'credential_invalid', 'The API key is unknown, expired or revoked.'];
const SEVERAL = [401, 'credential_invalid', 'The request has more than one credential.'];
const MISSING = [
  401,
  'credential_missing',
  'This endpoint needs a credential: send an API key in the header X-API-Key, or a token in the header Authorization: Bearer <token>.',
];
const WRONG_SUBJECT = [
  401,
  'credential_invalid',
  'The subject of the token (the claim sub) must be a text that does not start with "key:".',
];
const NO_CLAIM = [403, 'access_denied', 'This endpoint needs the claim tenant, which the credential does not have.'];
const WRONG_CLAIM = [
  403,
  'access_denied',
  'The claim tenant of the credential is not of the type string, which this endpoint needs.',
];
const NO_PLAN = [
  403,
  'access_denied',
  'The plan of orders would show facts about rows that callers cannot read. Operators see it with `endpoint explain`.',
];
const NO_ROWS = [200, { data: [], total: undefined, dataAsOf: null, notices: [] }];
const idsOf = (...ids: unknown[]) => [
  200,
  { data: ids.map((id) => ({ id })), total: undefined, dataAsOf: null, notices: [] },
];
const OF_OTHER = { total: 3, dataAsOf: '2025-01-03T00:00:00Z', notices: ['orders: 3'] };
const OF_ACME = { total: 2, dataAsOf: '2026-03-02T00:00:00Z', notices: ['orders: 2'] };

const environmentOf = (folder: string) => ({ DATA_DIR: join(folder, 'state'), JWT_SECRET });

/** Starts the service of a folder in this process, on a free port. */
async function openApi(folder: string) {
  const environment = { ...environmentOf(folder), PORT: '0', RATE_LIMIT_PER_HOUR: '0' };
  const settings = { ...readSettings(environment), api: await readApiFolder(folder, environment) };
  const warehouse = await openWarehouse(settings, { migrating: false });
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => log.push(JSON.parse(line)) });
  const service = await startService(settings, warehouse, logger, { ...TIMEOUTS, drainMs: 0 });
  const close = async () => {
    await service.close();
    await warehouse.close();
  };
  return { service, log, close };
}

describeEmbedded('a caller with the API key of one tenant', () => {
  let folder: string;
  let opened: Awaited<ReturnType<typeof openApi>>;
  let url: string;
  let acme: string;
  let other: string;
  let limited: string;

  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const command = async (...words: string[]) => {
    const { code, out, err } = await run(words, { cwd: folder, environment: environmentOf(folder) });
    expect(code, err).to.equal(0);
    return out.trim();
  };
  const reload = async (name: string, text: string, options: ReloadOptions = {}) => {
    await write(`endpoints/${name}.yaml`, text);
    return opened.service.definitions.reload(options);
  };
  const createKey = (name: string, ...words: string[]) => command('keys', 'create', name, ...words);
  const get = async (path: string, headers: Headers = {}) => factsOf(await send(url, path, headers));
  const key = (secret: string) => ({ 'X-API-Key': secret });
  const token = async (claims: Readonly<Record<string, unknown>>) => ({
    Authorization: `Bearer ${await tokenOf('', claims)}`,
  });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-attack-'));
    for (const name of ['data', 'endpoints', 'tables']) await mkdir(join(folder, name));
    await write(
      'api.yaml',
      'title: Shop\naccess: key\nclaims: { tenant: { type: string, example: acme } }\npublished: { countries: "*" }\n',
    );
    await write('data/orders.csv', ORDERS);
    await write('data/countries.csv', 'code\nDE\nSG\n');
    await write('tables/orders.YAML', 'source: data/orders.csv\nrow_filter: tenant = {{ caller.claims.tenant }}\n');
    await write('tables/countries.yaml', 'source: data/countries.csv\n');
    for (const [name, text] of Object.entries({ ...ENDPOINTS, who: WHO })) await write(`endpoints/${name}.yaml`, text);
    other = await createKey('other', '--scope', '*', '--claim', 'tenant=other');
    acme = await createKey('acme', '--scope', '*', '--claim', 'tenant=acme');
    limited = await createKey('limited', '--scope', 'tag:Sales', '--scope', 'who');
    opened = await openApi(folder);
    url = opened.service.url;
  });
  after(async () => {
    await opened?.close();
    await rm(folder, { recursive: true });
  });

  it('gets its own rows, counts, times and notices, also when another tenant asks at the same moment', async () => {
    const targets = ['/q/orders?page_size=1', '/q/newest'];
    const ask = (secret: string) => Promise.all(targets.map((target) => get(target, key(secret))));
    const ofOther = [[200, { ...OF_OTHER, data: [{ id: 3 }] }], idsOf(5)];
    const ofAcme = [[200, { ...OF_ACME, data: [{ id: 1 }] }], idsOf(2)];
    for (const round of ['computed', 'stored']) {
      const all = await Promise.all([other, acme, other, acme].map(ask));
      expect(all, round).to.deep.equal([ofOther, ofAcme, ofOther, ofAcme]);
    }
  });

  it('gets no rows with forged, repeated or wrong credentials', async () => {
    const bearer = await token({ sub: 'u', tenant: 'other' });
    const [id, ...rest] = [acme.slice(0, 13), other.slice(13)];
    const attempts: [string, Headers, unknown][] = [
      ['no credential', {}, MISSING],
      ['the id of another key', key(id + rest.join('')), UNKNOWN_KEY],
      ['upper case', key(other.toUpperCase()), UNKNOWN_KEY],
      ['two keys in one header', key(`${other}, ${acme}`), UNKNOWN_KEY],
      ['two headers', ['X-API-Key', other, 'x-api-key', acme], SEVERAL],
      ['an empty header before a key', ['X-API-Key', '', 'X-API-Key', acme], MISSING],
      ['a key and a token', { ...key(other), ...bearer }, SEVERAL],
      ['a key and a key as a token', { ...key(other), Authorization: `Bearer ${acme}` }, SEVERAL],
      ['a key and Basic', { ...key(other), Authorization: 'Basic eDp5' }, SEVERAL],
      ['a very long key', key(`rik_${'a'.repeat(8_000)}`), UNKNOWN_KEY],
      ['another alphabet', key(`${other.slice(0, -1)}\u00e9`), UNKNOWN_KEY],
      ['a cookie', { Cookie: `X-API-Key=${acme}` }, MISSING],
      [
        'a token where only keys are accepted',
        bearer,
        [403, 'access_denied', 'This endpoint needs a caller with an API key.'],
      ],
    ];
    for (const [title, headers, expected] of attempts)
      expect(await get('/q/orders', headers), title).to.deep.equal(expected);
    for (const headers of [{ Authorization: `bearer   ${other} ` }, key(` ${other}\t`)])
      expect(await get('/q/orders', headers)).to.deep.equal([200, { ...OF_OTHER, data: [{ id: 3 }, { id: 4 }] }]);
    expect(await get(`/q/orders?X-API-Key=${acme}`)).to.deep.equal(MISSING);
    expect(await get('/q/numbers', key('wrong')), 'a public definition').to.deep.equal(UNKNOWN_KEY);
    expect(await get('/q/numbers', ['X-API-Key', other, 'X-API-Key', acme])).to.deep.equal(SEVERAL);
  });

  it('cannot name a caller or a claim in parameters, and its parameters are not read before its access', async () => {
    const unknown = (name: string) =>
      `"${name}" is not a parameter of this endpoint: expected one of page, page_size, cursor`;
    for (const name of ['caller.claims.tenant', 'caller.id', '__proto__', 'caller[claims][tenant]'])
      expect(await get(`/q/orders?${name}=acme`, key(other))).to.deep.equal([400, 'bad_parameter', unknown(name)]);
    const noScope = (name: string) => [
      403,
      'access_denied',
      `The scopes of the API key do not include the endpoint ${name}.`,
    ];
    for (const path of ['/q/staff?code=XX', '/q/choices/staff/code/', '/q/explain/staff/?code=XX'])
      expect(await get(path, key(limited)), path).to.deep.equal(noScope('staff'));
    const noRole = [403, 'access_denied', 'This endpoint needs a caller with the role staff.'];
    for (const path of ['/q/staff?code=XX', '/q/choices/staff/code/', '/q/explain/staff/?code=XX'])
      expect(await get(path, key(other)), path).to.deep.equal(noRole);
    expect(await get('/q/orders', key(limited))).to.deep.equal(NO_CLAIM);
  });

  it('cannot use a subject or a claim of another type, or one that a database reads as another text', async () => {
    for (const sub of ['', 0, null, true, ['a'], { a: 1 }, 'a\u0000', 'a\ud800', 'key:3f9a01c2'])
      expect(await get('/q/who', await token({ sub })), JSON.stringify(sub)).to.deep.equal(WRONG_SUBJECT);
    expect(await get('/q/who', await token({ sub: "' OR 1=1 --" }))).to.deep.equal(idsOf("' OR 1=1 --"));
    for (const tenant of [0, true, null, '', ['acme'], { $ne: 1 }, 'acme\u0000', 'acme\ud800'])
      expect(await get('/q/newest', await token({ sub: 'u', tenant })), JSON.stringify(tenant)).to.deep.equal(
        WRONG_CLAIM,
      );
    for (const tenant of ["acme' OR '1'='1", 'ACME', 'acme ', '%', 'a'.repeat(4_000)])
      expect(await get('/q/newest', await token({ sub: 'u', tenant })), tenant).to.deep.equal(NO_ROWS);
    const roles = async (given: unknown) => (await get('/q/staff', await token({ sub: 'u', roles: given })))[0];
    expect(await Promise.all([['staff'], 'a staff', [['staff']], { 0: 'staff' }, 'a\tstaff'].map(roles))).to.deep.equal(
      [200, 200, 403, 403, 403],
    );
  });

  it('cannot use the cursor or the ETag of another tenant, and gets its own rows in every form', async () => {
    const first = await send(url, '/q/orders?page_size=1', key(acme));
    const cursor = (JSON.parse(first.text) as { nextCursor: string }).nextCursor;
    expect((await get(`/q/orders?page_size=1&cursor=${cursor}`, key(other))).slice(0, 2)).to.deep.equal([
      400,
      'bad_parameter',
    ]);
    const etag = String(first.headers.etag);
    const answer = await send(url, '/q/orders?page_size=1', { ...key(other), 'If-None-Match': etag });
    expect(factsOf(answer)).to.deep.equal([200, { ...OF_OTHER, data: [{ id: 3 }] }]);
    expect([answer.headers['cache-control'], answer.headers.vary]).to.deep.equal([
      'private, no-cache',
      'Authorization, Cookie, X-API-Key, Accept, Accept-Encoding',
    ]);
    const texts = ['/q/orders.csv', '/q/export.csv', '/v1/export.csv'].map(
      async (path) => (await send(url, path, key(other))).text,
    );
    expect(await Promise.all(texts)).to.deep.equal([
      'id\r\n3\r\n4\r\n_truncated: more rows exist than these 2\r\n',
      'id\r\n3\r\n4\r\n5\r\n',
      'id\r\n3\r\n4\r\n5\r\n',
    ]);
    const parts = { ...key(other), Range: 'bytes=0-4', 'If-Range': etag };
    expect((await send(url, '/q/export.csv', parts)).text).to.equal('id\r\n3\r\n4\r\n5\r\n');
    const heads = ['/q/export.csv', '/q/orders'].map(async (path) => (await send(url, path, {}, 'HEAD')).status);
    expect(await Promise.all(heads)).to.deep.equal([401, 401]);
  });

  it('cannot see the plan of restricted rows, which contains facts about all rows', async () => {
    for (const [headers, expected] of [
      [key(other), NO_PLAN],
      [{}, MISSING],
      [key(limited), NO_PLAN],
    ] as const)
      expect(await get('/q/explain/orders/', headers)).to.deep.equal(expected);
    expect((await send(url, '/q/explain/numbers/')).status).to.equal(200);
  });

  it('sees and calls only its own tools of /mcp, and SQL of callers cannot read the table', async () => {
    const ask = async (method: string, params: object, headers: Readonly<Record<string, string>> = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const accept = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const { text } = await send(url, '/mcp', { ...accept, ...headers }, 'POST', body);
      return JSON.parse(text.replace(/^event: message\ndata: /, '')) as {
        readonly result: {
          readonly tools: readonly { readonly name: string }[];
          readonly structuredContent?: { readonly rows: unknown };
          readonly _meta?: { readonly 'repo-insight/error': { readonly code: string } };
        };
      };
    };
    const list = async (headers = {}) => (await ask('tools/list', {}, headers)).result.tools.map(({ name }) => name);
    expect(await list()).to.deep.equal(['numbers']);
    // The key has no claim tenant, which the definition orders needs.
    expect(await list(key(limited))).to.deep.equal(['numbers', 'who']);
    const call = async (name: string, given: object, headers = {}) => {
      const { structuredContent, _meta } = (await ask('tools/call', { name, arguments: given }, headers)).result;
      return structuredContent?.rows ?? _meta?.['repo-insight/error'].code;
    };
    expect(await call('orders', { page_size: 1 }, key(other))).to.deep.equal([{ id: 3 }]);
    expect(await call('orders', { page_size: 1 }, key(acme))).to.deep.equal([{ id: 1 }]);
    expect(await call('orders', { 'caller.claims.tenant': 'acme' }, key(other))).to.equal('bad_parameter');
    expect(await call('orders', {})).to.equal('credential_missing');
    expect(await call('staff', {}, key(limited))).to.equal('access_denied');
    for (const sql of ['SELECT * FROM orders', 'WITH countries AS (SELECT * FROM orders) SELECT * FROM countries'])
      expect(await call('run_sql', { sql }, key(other)), sql).to.equal('sql_refused');
  });

  it('gets no stored answer of a definition that was public before a reload', async () => {
    for (const path of ['/q/numbers', '/v1/numbers/', '/q/numbers'])
      expect((await send(url, path, {})).status).to.equal(200);
    await reload('numbers', ENDPOINTS.numbers.replace('public', "'role:staff'"));
    for (const path of ['/q/numbers', '/q/explain/numbers/', '/q/numbers.csv'])
      expect(await get(path), path).to.deep.equal(MISSING);
    expect((await send(url, '/v1/numbers/')).status).to.equal(401);
    await reload('numbers', ENDPOINTS.numbers);
  });

  it('gets no answer of the last good version of a definition whose file is not public, but has problems', async () => {
    const broken = async (text: string) => {
      const { outdated } = await reload('numbers', text);
      const { status } = await send(url, '/q/numbers');
      await reload('numbers', ENDPOINTS.numbers);
      return [outdated, status];
    };
    const closed = ENDPOINTS.numbers.replace('public', 'key');
    for (const text of [closed.replace('1 AS id', 'x AS id FROM missing'), `${closed}typo: 1\n`, `${closed}a: [\n`])
      expect(await broken(text), text).to.deep.equal([[], 503]);
    for (const access of ['[key]', "['key']", '\n  - key'])
      expect(await broken(`${ENDPOINTS.numbers.replace('public', access)}a: [\n`), access).to.deep.equal([[], 503]);
    expect(await broken(ENDPOINTS.numbers.replace('public', 'keys'))).to.deep.equal([[], 503]);
    expect(await broken(`${ENDPOINTS.numbers}typo: 1\n`)).to.deep.equal([['numbers'], 200]);
  });

  it('continues the pages of a canary, which never gives access', async () => {
    const pages = async () => {
      const versions = new Set<unknown>();
      for (let size = 1; size <= 2; size += 1) {
        const target = `/q/orders?page_size=${size}`;
        const page = await send(url, target, key(other));
        versions.add(page.headers['x-definition-canary']);
        const { nextCursor } = JSON.parse(page.text) as { nextCursor: string };
        const next = await send(url, `${target}&cursor=${nextCursor}`, key(other));
        versions.add(next.headers['x-definition-canary']);
        expect(next.status, next.text).to.equal(200);
      }
      return [...versions];
    };
    const changed = ENDPOINTS.orders.replace('ORDER BY', 'WHERE 1 = 1 ORDER BY');
    expect((await reload('orders', changed, { canaryPercent: 99 })).canaries).to.deep.equal(['orders']);
    expect(await pages()).to.deep.equal(['candidate']);
    await reload('orders', ENDPOINTS.orders, { discarded: ['orders'] });
    const open = WHO.replace('signed-in', 'public').replace('{{ caller.id }}', "'x'");
    expect((await reload('who', open, { canaryPercent: 99 })).canaries).to.deep.equal(['who']);
    expect(await get('/q/who')).to.deep.equal(MISSING);
    expect(await get('/q/who', key(limited))).to.deep.equal(idsOf(`key:${limited.slice(4, 12)}`));
    await reload('who', WHO, { discarded: ['who'] });
    await reload('staff', ENDPOINTS.staff.replace("'role:staff'", 'signed-in'), { canaryPercent: 99 });
    expect((await get('/q/staff', key(other)))[2]).to.equal('This endpoint needs a caller with the role staff.');
    await reload('staff', ENDPOINTS.staff, { discarded: ['staff'] });
  });

  it('gets the version of a canary that accepts it, also if another version is in memory', async () => {
    const user = await token({ sub: 'u', tenant: 'other' });
    const versionFor = async (headers: Headers) => {
      const { status, headers: sent } = await send(url, '/q/newest', headers);
      return [status, sent['x-definition-canary']];
    };
    await reload('newest', ENDPOINTS.newest.replace('access: signed-in', 'access: key'), { canaryPercent: 99 });
    for (const round of ['computed', 'stored'])
      expect([await versionFor(user), await versionFor(key(other))], round).to.deep.equal([
        [200, undefined],
        [200, 'candidate'],
      ]);
    await reload('newest', ENDPOINTS.newest, { discarded: ['newest'] });
    expect(await versionFor(key(other))).to.deep.equal([200, undefined]);
  });

  it('is rejected after its key is revoked, and the log contains neither secrets nor claims', async () => {
    await command('keys', 'revoke', 'limited', '--yes');
    await eventually(async () => (await get('/q/who', key(limited)))[0] !== 200);
    expect(await get('/q/who', key(limited))).to.deep.equal(UNKNOWN_KEY);
    const known = new Set(opened.log.flatMap(({ operation, caller }) => (caller === undefined ? [] : [operation])));
    expect([...known]).to.include.members(['orders', 'explain-named-query', 'choices', 'mcp']);
    expect(JSON.stringify(opened.log)).to.not.match(/rik_[0-9a-f]{8}_|"acme|"other"|tenant = /);
  });
});

/** The claims and the row filter of a table, for an engine within another program. */
const FILTERED = {
  claims: { tenant: { type: 'string', example: 'acme' } },
  rowFilters: new Map(['Orders', 'own_orders'].map((table) => [table, 'tenant = {{ caller.claims.tenant }}'])),
} as const;
const caller = { id: 'key:1', roles: [], claims: { tenant: 'other' }, scopes: ['*'] };

function testFilters(open: () => Promise<string>, tables: readonly string[]): void {
  let folder: string;
  let database: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-filters-'));
    database = await open();
  });
  after(() => rm(folder, { recursive: true }));
  const openWith = async (text: string, filters: object = FILTERED) => {
    await writeFile(join(folder, 'one.yaml'), text);
    return createEngine({ database, definitions: folder, ...filters });
  };
  const messageOf = async (text: string, filters?: object) => {
    const engine = await openWith(text, filters).catch((error: Error) => error.message);
    if (typeof engine === 'string') return engine;
    await engine.close();
    return '';
  };

  it('restricts the rows of a table with capital letters or a schema in its name', async () => {
    for (const table of tables) {
      const engine = await openWith(definition('one', `SELECT id FROM ${table} ORDER BY id`, 'access: key\n'));
      try {
        expect((await engine.run('one', {}, { caller })).data, table).to.deep.equal([{ id: 3 }]);
      } finally {
        await engine.close();
      }
    }
  });

  it('does not serve a public definition of restricted rows', async () => {
    for (const table of tables)
      expect(await messageOf(definition('one', `SELECT id FROM ${table} ORDER BY id`)), table).to.contain(
        'the SQL or a row_filter of its tables depends on caller.claims.tenant, so the definition cannot be public',
      );
  });

  it('does not start with a row filter of an unknown table, or with a view of restricted rows', async () => {
    const messageWith = (table: string) =>
      messageOf(definition('one', 'SELECT 1 AS id'), { ...FILTERED, rowFilters: new Map([[table, 'id = 1']]) });
    expect(await messageWith('order')).to.equal(
      'tables/order: row_filter: there is no table order that can be read (did you mean "orders"?)',
    );
    expect(await messageWith('orders')).to.equal(
      'tables/own_orders: row_filter: this view reads the restricted table orders; write a row_filter for the view, or TRUE for all its rows',
    );
    expect(await messageWith('own_orders')).to.equal('');
    const rowFilters = new Map([...FILTERED.rowFilters, ['own_orders', 'TRUE']]);
    expect(await messageOf(definition('one', 'SELECT id FROM own_orders'), { ...FILTERED, rowFilters })).to.equal('');
  });
}

const TABLE = [
  'CREATE TABLE orders (id BIGINT, tenant VARCHAR(20))',
  "INSERT INTO orders VALUES (1, 'acme'), (3, 'other')",
  'CREATE VIEW own_orders AS SELECT * FROM orders',
];

describeEmbedded('row filters of an engine on DuckDB', () => {
  let folder: string;
  after(() => rm(folder, { recursive: true }));
  testFilters(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-file-'));
    const file = join(folder, 'shop.duckdb');
    const database = await openEmbedded({ file, memoryLimit: '128MB', threads: 1, readers: 1 });
    await database.write(async (connection) => {
      for (const sql of TABLE) await connection.run(sql);
    });
    await database.close();
    return `duckdb:${file}`;
  }, ['ORDERS', 'own_orders']);

  it('does not start with a view of a table whose name is quoted', async () => {
    const file = join(folder, 'quoted.duckdb');
    const database = await openEmbedded({ file, memoryLimit: '128MB', threads: 1, readers: 1 });
    await database.write(async (connection) => {
      await connection.run('CREATE TABLE "order-lines" (id BIGINT)');
      await connection.run('CREATE VIEW all_lines AS SELECT id FROM "order-lines"');
    });
    await database.close();
    await writeFile(join(folder, 'one.yaml'), definition('one', 'SELECT 1 AS id'));
    const rowFilters = new Map([['order-lines', 'id = 1']]);
    const opened = createEngine({ database: `duckdb:${file}`, definitions: folder, rowFilters });
    const message = await opened.then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(message).to.contain('this view reads the restricted table order-lines');
  });
});

describe(`row filters of an engine on ${SERVER}`, () => {
  const server = useMysql();
  const names: string[] = ['`orders`', 'own_orders'];
  before(() => names.push(`${server.name}.orders`));
  testFilters(async () => {
    await execute(server.url, ...TABLE);
    return server.url;
  }, names);
});

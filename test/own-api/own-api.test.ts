import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownApiPaths } from '../../app-routes/console/shell.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import type { Database } from '../../engine/index.js';
import { translateDdl } from '../../engine/sql/duckdb/translate.js';
import { describeOperations } from '../../server/describe-operations.js';
import { API_DEFAULTS, RESERVED_SEGMENTS } from '../../server/settings/read-api-folder.js';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { connectHttp, connectStdio } from '../mcp/mcp-client.js';
import { execute, useMysql, withDatabase } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';
import { SHOP, SHOP_TABLES } from './shop.js';

/** A part of two tables, and a table whose names have capital letters on a server. */
const PUBLISHED = `published:
  orders: '*'
  customers: [id, country]
  reviews: [ID, stars]
`;

/** The texts of a table whose comments say nothing. */
const DESCRIBED = `description: One row per order.
columns: { Total: The price with taxes. }
`;

/** The definition of an author, with a table whose name this program also uses. */
const BY_COUNTRY = `name: sales-by-country
path: /v1/sales/{country}/
summary: Sales by country
tags: [Sales]
params:
  country: { in: path, type: string, maxLength: 2, description: The country., example: DE }
columns:
  - { col: customers, data_type: BIGINT, nullable: false, description: Customers with an order. }
  - { col: total, data_type: DECIMAL, scale: 2, nullable: true, description: The sum of their orders. }
sql: |
  SELECT COUNT(DISTINCT c.id) AS customers, SUM(o.total) AS total
  FROM customers c JOIN orders o ON o.customer_id = c.id
  WHERE c.country = {{ country }}
examples:
  - { name: Germany, params: { country: DE } }
`;

/** A definition without the age of its data, whose answers are stored, and streamed as CSV. */
const CUSTOMERS = `name: customers
path: /v1/customers/
summary: Customers
columns:
  - { col: name, data_type: VARCHAR, nullable: false, description: The name. }
sql: SELECT name FROM customers ORDER BY id
limits: { rows: 2, stream_rows: 10 }
cache: { ttl: 90s }
`;

const UNKNOWN_AGE = 'The age of the data is unknown, because other programs write the tables.';
const LIFETIME = 'An answer is used for at most 90 s, so later changes can be missing.';

describeEmbedded('an API over a DuckDB file of its user', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-shop-'));
    const database = await openEmbedded({ ...SMALL, file: join(folder, 'shop.duckdb') });
    await database.write(async (connection) => {
      for (const statement of SHOP) {
        const translated = statement.startsWith('CREATE') ? translateDdl(statement) : [statement];
        for (const sql of translated) await connection.run(sql);
      }
    });
    await database.close();
  });
  after(() => rm(folder, { recursive: true }));

  testShop({
    url: () => `duckdb:${join(folder, 'shop.duckdb')}`,
    open: () => openEmbedded({ ...SMALL, file: join(folder, 'shop.duckdb'), access: 'read_only' }),
    files: () => readdir(folder),
  });
});

describe(`an API over a ${SERVER} database that its account can only read`, () => {
  const server = useMysql();
  let reader: string;
  before(async () => {
    const user = `'r_${server.name}'@'%'`;
    await execute(server.url, ...SHOP);
    await execute(
      server.url,
      `CREATE USER ${user} IDENTIFIED BY 'secret'`,
      `GRANT SELECT ON ${server.name}.* TO ${user}`,
    );
    const url = new URL(server.url);
    url.username = `r_${server.name}`;
    url.password = 'secret';
    reader = url.href;
  });
  after(async () => {
    if (reader !== undefined) await execute(withDatabase(server.url, ''), `DROP USER 'r_${server.name}'@'%'`);
  });

  testShop({
    url: () => reader,
    open: () => openMysql({ url: server.url, connections: 1, allowWritingAccount: true }),
  });
});

interface Shop {
  readonly url: () => string;
  readonly open: () => Promise<Database>;
  /** The files in the folder of a database file. Only then, the tests run that do not depend on the kind of database. */
  readonly files?: () => Promise<readonly string[]>;
}

const SMALL = { memoryLimit: '128MB', threads: 1, readers: 2 };

function testShop(shop: Shop): void {
  let parent: string;
  let folder: string;
  let service: ReturnType<typeof startHere>;
  let url: string;
  let unchanged: string;
  const get = (path: string, accept = 'application/json') => fetch(`${url}${path}`, { headers: { accept } });
  const json = async (path: string) => (await get(path)).json() as Promise<Record<string, never>>;

  before(async () => {
    unchanged = await contentOf(shop);
    parent = await mkdtemp(join(tmpdir(), 'repo-insight-own-'));
    folder = join(parent, 'my-shop');
    const { code, err } = await run(['init', 'my-shop', '--database-url', shop.url(), '--table', 'orders'], {
      cwd: parent,
    });
    expect([code, err.includes('repo-insight serve')], err).to.deep.equal([0, true]);
    await writeFile(join(folder, 'endpoints', 'sales.yaml'), BY_COUNTRY);
    await appendFile(join(folder, 'api.yaml'), PUBLISHED);
    await mkdir(join(folder, 'tables'));
    await writeFile(join(folder, 'tables', 'orders.yaml'), DESCRIBED);
    await writeFile(join(folder, 'endpoints', 'customers.yaml'), CUSTOMERS);
    service = startHere(['serve'], { cwd: folder, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    url = await listening(service);
  });
  after(async () => {
    stopAll();
    await service.ended;
    await rm(parent, { recursive: true });
  });

  it('is a folder with a tested endpoint, and its password is readable only by the owner', async () => {
    expect((await readdir(folder)).sort()).to.deep.equal(
      ['.env', '.env.example', '.gitignore', '.repo-insight', 'README.md', 'api.yaml', 'endpoints', 'tables'].sort(),
    );
    expect((await stat(join(folder, '.env'))).mode & 0o077).to.equal(0);
    expect(await readFile(join(folder, '.env.example'), 'utf8')).not.to.contain('secret');
    expect(await readFile(join(folder, 'endpoints', 'orders.yaml'), 'utf8'))
      .to.contain('ORDER BY id')
      .and.contain('data_as_of: SELECT MAX(updated_at) FROM orders\ncache: { ttl: 10s }\n');
    const tested = await run(['endpoint', 'test', '--all'], { cwd: folder });
    expect(tested.code, tested.out + tested.err).to.equal(0);
  });

  it('answers its endpoints by path and by name, and states the age of the data', async () => {
    const orders = await json('/v1/orders/?page_size=2');
    expect(orders.data).to.deep.include({
      rows: [
        { id: '1', customer_id: '1', total: '13.50', updated_at: '2026-01-02 10:00:00' },
        { id: '2', customer_id: '2', total: '4.50', updated_at: '2026-01-03 11:00:00' },
      ],
    });
    expect((orders.data as unknown as { result: { data_as_of: string } }).result.data_as_of).to.equal(
      '2026-01-04T12:00:00Z',
    );
    expect((await json('/v1/sales/DE/')).data).to.deep.include({ rows: [{ customers: '1', total: '22.50' }] });
    expect((await json('/q/sales-by-country?country=FR')).data).to.deep.equal([{ customers: 1, total: 4.5 }]);
    expect((await get('/v1/trends/repos/')).status).to.equal(404);
  });

  it('runs SQL of callers over the published columns', async () => {
    const ask = async (sql: string, path = '/q/playground/') => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sql }),
      });
      return (await response.json()) as Record<string, never>;
    };
    expect(
      (await ask('SELECT c.country, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1'))
        .data,
    ).to.have.deep.members([
      { country: 'DE', n: 2 },
      { country: 'FR', n: 1 },
    ]);
    expect((await ask('SELECT STARS, r.id FROM REVIEWS r ORDER BY Stars')).data).to.deep.equal([
      { STARS: 3, id: 2 },
      { STARS: 5, id: 1 },
    ]);
    expect((await ask('SELECT * FROM customers ORDER BY id LIMIT 1')).data).to.deep.equal([{ id: 1, country: 'DE' }]);
    for (const sql of [
      'SELECT email FROM customers',
      'SELECT id FROM users',
      'SELECT words FROM reviews',
      'SELECT table_name FROM information_schema.tables',
      'SELECT name FROM main.customers',
      'DELETE FROM orders',
    ]) {
      expect(await ask(sql), sql).to.include({ code: 'sql_refused' });
    }
    expect((await ask('SHOW TABLES')).data).to.deep.equal(
      ['orders', 'customers', 'Reviews'].map((name) => {
        return { name, description: name === 'orders' ? 'One row per order.' : '' };
      }),
    );
    // Plans and drafts would show names that are not published.
    for (const path of ['/q/playground/plan/', '/console/drafts/'])
      expect(await ask('SELECT id FROM orders', path)).to.include({ code: 'route_not_found' });
    expect(await json('/q/tables/Customers/')).to.deep.include({
      name: 'customers',
      example: 'SELECT id, country FROM customers ORDER BY id LIMIT 20',
      columns: [
        { name: 'id', type: shop.files === undefined ? 'INT(11)' : 'INTEGER', unit: null, description: '' },
        { name: 'country', type: shop.files === undefined ? 'CHAR(2)' : 'VARCHAR', unit: null, description: '' },
      ],
    });
  });

  it('states in every form of an answer that the age of the data is unknown, and how long an answer is used', async () => {
    const ageOf = ({ data_as_of, age_ms, stale, notices }: Record<string, unknown>) => [
      data_as_of,
      age_ms,
      stale,
      notices,
    ];
    const resultOf = async (path: string) =>
      ((await json(path)).data as unknown as { result: Record<string, unknown> }).result;
    const notice = `${UNKNOWN_AGE} ${LIFETIME}`;
    expect(ageOf(await resultOf('/v1/sales/DE/'))).to.deep.equal([null, null, false, [UNKNOWN_AGE]]);
    expect(ageOf(await resultOf('/v1/customers/'))).to.deep.equal([null, null, false, [notice]]);
    const orders = await resultOf('/v1/orders/');
    expect([orders.data_as_of, orders.notices]).to.deep.equal(['2026-01-04T12:00:00Z', []]);
    const named = await json('/q/customers');
    expect([named.dataAsOf, named.stale, named.notices]).to.deep.equal([null, false, [notice]]);
    expect(Date.parse(String(named.expiresAt)) - Date.parse(String(named.requestedAt))).to.be.within(80_000, 95_000);
    const csv = await get('/q/sales-by-country.csv?country=DE');
    const headers = ['x-data-as-of', 'x-stale', 'x-notices'].map((name) => csv.headers.get(name));
    expect(headers).to.deep.equal([null, 'false', JSON.stringify([UNKNOWN_AGE])]);
    // A streamed answer is never stored.
    const streamed = (await (await get('/q/customers.ndjson')).text()).trimEnd().split('\n');
    const { _end: end } = JSON.parse(streamed.at(-1) ?? '{}');
    expect([streamed.length, end.data_as_of, end.stale, end.notices]).to.deep.equal([4, null, false, [UNKNOWN_AGE]]);
    const { out } = await run(['endpoint', 'run', 'customers', '--json'], { cwd: folder });
    expect(ageOf(JSON.parse(out).data.result)).to.deep.equal([null, null, false, [notice]]);
    const control = async (path: string) => (await get(path)).headers.get('cache-control');
    expect([
      await control('/v1/customers/'),
      await control('/v1/orders/'),
      await control('/v1/sales/DE/'),
    ]).to.deep.equal(['public, max-age=90', 'public, max-age=10', 'public, no-cache']);
  });

  it('warns with the keys of the tables in the database', async () => {
    const text = (order: string) => `name: top
summary: Top
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: I. }
  - { col: total, data_type: DECIMAL, scale: 2, nullable: false, description: T. }
sql: SELECT id, total FROM orders ORDER BY ${order} LIMIT 2
data_as_of: SELECT MAX(updated_at) FROM orders
examples: [{ name: all, params: {} }]
`;
    const warningsOf = async (order: string) => {
      await writeFile(join(folder, 'endpoints', 'top.yaml'), text(order));
      const { out } = await run(['endpoint', 'test', 'top'], { cwd: folder });
      return out.split('\n').filter((line) => line.startsWith('warning: '));
    };
    expect((await warningsOf('total')).join()).to.contain('Add id at the end of ORDER BY [unstable-pages]');
    expect(await warningsOf('total, id')).to.deep.equal([]);
    await rm(join(folder, 'endpoints', 'top.yaml'));
  });

  it('names every published table and column that the database does not have', async () => {
    const other = join(parent, 'unpublished');
    await mkdir(join(other, 'endpoints'), { recursive: true });
    await writeFile(join(other, '.env'), `DATABASE_URL=${shop.url()}\n`);
    await writeFile(join(other, 'endpoints', 'sales.yaml'), BY_COUNTRY);
    await writeFile(
      join(other, 'api.yaml'),
      "title: Shop\npublished: { ordrs: '*', customers: [id, mail], orders: [ID] }\n",
    );
    const named = async (...words: string[]) => {
      const { code, err } = await run(words, { cwd: other, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
      return [code, err];
    };
    expect(await named('mcp')).to.deep.equal([
      2,
      'api.yaml: published: there is no table ordrs that can be read (did you mean "orders"?)\n' +
        'api.yaml: published: the table customers has no column mail (did you mean "email"?)\n',
    ]);
    await writeFile(join(other, 'api.yaml'), "title: Shop\npublished: { orders: [id], ORDERS: '*', twins: '*' }\n");
    expect(await named('mcp')).to.deep.equal([
      2,
      'api.yaml: published: the table orders is named twice\n' +
        'api.yaml: published: SQL of callers cannot name these columns of twins, list the others: constructor\n',
    ]);
    await mkdir(join(other, 'tables'));
    await writeFile(join(other, 'tables', 'order.yaml'), DESCRIBED);
    await writeFile(join(other, 'tables', 'users.yaml'), 'columns: { logn: A name. }\n');
    expect(await named('tables')).to.deep.equal([
      2,
      'tables/order: the database has no such table (did you mean "orders"?)\n' +
        'tables/users: the table has no column logn (did you mean "login"?)\n',
    ]);
  });

  it('lists the tables of the database, and makes endpoints of them', async () => {
    const { code, out, err } = await run(['tables', '--json'], { cwd: folder });
    expect([code, (JSON.parse(out) as { name: string }[]).map(({ name }) => name).sort()], err).to.deep.equal([
      0,
      [...SHOP_TABLES].sort(),
    ]);
    const unknown = await run(['tables', 'custmers'], { cwd: folder });
    expect(unknown.err).to.contain('did you mean "customers"?');
    const described = JSON.parse((await run(['tables', 'orders', '--json'], { cwd: folder })).out);
    expect([described.comment, described.columns[2].comment]).to.deep.equal([
      'One row per order.',
      'The price with taxes.',
    ]);
    const proposed = await run(['endpoint', 'new', '--table', 'orders', '--name', 'other', '--dry-run'], {
      cwd: folder,
    });
    expect(proposed.out, proposed.err).to.contain('The price with taxes');
    const made = await run(['endpoint', 'new', '--table', 'stock', '--dry-run'], { cwd: folder });
    expect([made.code, made.out.includes('ORDER BY warehouse, product_id')], made.err).to.deep.equal([0, true]);
  });

  if (shop.files !== undefined) {
    it('describes only itself', async () => {
      const home = await json('/');
      expect(home).to.deep.include({ name: 'My shop', description: 'The data of My shop as HTTP endpoints.' });
      const description = await (await get('/openapi.json')).text();
      const { info, paths } = JSON.parse(description) as { info: { title: string }; paths: object };
      expect(info.title).to.equal('My shop');
      expect(Object.keys(paths)).to.include.members(['/v1/orders/', '/v1/sales/{country}/', '/q/orders']);
      const pages = await Promise.all(
        ['/', '/e', '/e/orders', '/playground', '/docs'].map(async (path) => (await get(path, 'text/html')).text()),
      );
      // The list of all error codes of the program is the same for every service.
      const withoutCodes = description.replaceAll(/repository_?not_?found/gi, '');
      for (const text of [withoutCodes, JSON.stringify(home), ...pages]) {
        expect(text).not.to.match(/github|repositor|stargaz|open.source/i);
      }
      for (const page of pages) expect(page).to.contain('My shop');
    });

    it('has no page and no operation of the service with the data of GitHub', async () => {
      const paths = ['/ask', '/account', '/operator', '/collections/', '/user/', '/sign-in/', '/gh/users/a/'];
      const statuses = await Promise.all(paths.map(async (path) => [path, (await get(path, 'text/html')).status]));
      expect(statuses).to.deep.equal(paths.map((path) => [path, 404]));
      const { code, err } = await run(['data', 'status'], { cwd: folder });
      expect([code, err.includes("unknown command 'data'")], err).to.deep.equal([2, true]);
    });

    it('binds variables of the environment that api.yaml lists', async () => {
      const other = join(parent, 'regional');
      const files = {
        '.env': `DATABASE_URL=${shop.url()}\nCOUNTRY=FR\nSECRET=x\n`,
        'api.yaml': 'title: Shop\nenv: [COUNTRY]\n',
        'endpoints/sales.yaml': BY_COUNTRY.replace('/{country}', '')
          .replace(/^params:\n.*\n/m, '')
          .replace('{{ country }}', '{{ env.COUNTRY }}')
          .replace('{ name: Germany, params: { country: DE } }', '{ name: this country, params: {} }'),
      };
      await mkdir(join(other, 'endpoints'), { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(other, name), text);
      const runIn = async (environment: Record<string, string> = {}) => {
        const { out } = await run(['endpoint', 'run', 'sales-by-country', '--json'], { cwd: other, environment });
        return JSON.parse(out).data.rows;
      };
      expect(await runIn()).to.deep.equal([{ customers: '1', total: '4.50' }]);
      expect(await runIn({ COUNTRY: 'DE' })).to.deep.equal([{ customers: '1', total: '22.50' }]);
      await writeFile(join(other, 'endpoints/sales.yaml'), files['endpoints/sales.yaml'].replace('COUNTRY', 'SECRET'));
      const { code, out, err } = await run(['endpoint', 'check'], { cwd: other });
      expect(code).to.equal(1);
      expect(out + err).to.contain('the variable SECRET of the environment is not allowed');
    });

    it('offers its endpoints to language models, over HTTP and over standard input', async () => {
      const overHttp = await connectHttp({ service: { url } });
      const { tools } = await overHttp.listTools();
      expect(tools.map(({ name }) => name).sort()).to.deep.equal([
        'customers',
        'orders',
        'run_sql',
        'sales-by-country',
      ]);
      const { description } = tools.find(({ name }) => name === 'orders') ?? {};
      expect(description).to.contain('an answer is used for at most 10 s, so later changes can be missing.');
      expect(overHttp.getServerVersion()?.name).to.equal('My shop');
      const { structuredContent } = await overHttp.callTool({ name: 'sales-by-country', arguments: { country: 'DE' } });
      expect(structuredContent).to.deep.include({
        rows: [{ customers: 1, total: 22.5 }],
        data_as_of: null,
        stale: false,
        notices: [UNKNOWN_AGE],
      });
      const rows = await overHttp.callTool({ name: 'run_sql', arguments: { sql: 'SELECT MAX(id) AS id FROM orders' } });
      expect(rows.structuredContent).to.deep.include({ rows: [{ id: 3 }] });
      const { resources } = await overHttp.listResources();
      expect(resources.map(({ name }) => name)).to.deep.equal(['orders', 'customers', 'reviews']);
      const [{ text } = { text: '' }] = (await overHttp.readResource({ uri: 'repo-insight://tables/customers' }))
        .contents as { text: string }[];
      expect(JSON.parse(text).columns.map(({ name }: { name: string }) => name)).to.deep.equal(['id', 'country']);
      await overHttp.close();
      const local = await connectStdio({}, '2026-07-28', [], folder);
      expect((await local.listTools()).tools).to.have.length(4);
      await local.close();
    });
  }

  it('leaves the tables and the rows of the database as they were', async () => {
    if (shop.files !== undefined) expect(await shop.files()).to.deep.equal(['shop.duckdb']);
    service.stop();
    expect((await service.ended).code).to.equal(0);
    expect(await contentOf(shop)).to.equal(unchanged);
  });
}

/** Returns all tables and rows of a database as text. */
async function contentOf({ open }: Shop): Promise<string> {
  const database = await open();
  const read = async (sql: string) => (await database.query({ sql }, [], { maxRows: 1_000, timeoutMs: 30_000 })).rows;
  try {
    const schema = database.name === 'duckdb' ? "'main'" : 'DATABASE()';
    const names = await read(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = ${schema} ORDER BY table_name`,
    );
    const tables = [];
    for (const [name] of names) tables.push([name, await read(`SELECT * FROM ${name} ORDER BY 1`)]);
    return JSON.stringify(tables, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  } finally {
    await database.close();
  }
}

describeEmbedded('the folder of an API over a file with a relative path', () => {
  it('is also found from the folders in it', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'repo-insight-relative-'));
    try {
      const database = await openEmbedded({ ...SMALL, file: join(parent, 'odd.duckdb') });
      await database.write(async (connection) => {
        await connection.run(
          'CREATE TABLE "Odd Table" ("ID" INT PRIMARY KEY, "Full Name" VARCHAR, "Ünï" INT, "from" INT)',
        );
        await connection.run('INSERT INTO "Odd Table" VALUES (1, \'Ada\', 2, 3)');
      });
      await database.close();
      const { code, err } = await run(['init', 'api', '--database-url', 'duckdb:odd.duckdb'], { cwd: parent });
      expect(code, err).to.equal(0);
      expect(await readFile(join(parent, 'api', '.env'), 'utf8')).to.contain('\nDATABASE_URL=duckdb:../odd.duckdb\n');
      const tested = await run(['endpoint', 'run', 'odd-table', '--json'], { cwd: join(parent, 'api', 'endpoints') });
      expect(tested.out, tested.err).to.match(/"id": "1",\s+"full_name": "Ada",\s+"uni": "2",\s+"from": "3"/);
      const set = await run(['config', 'DATABASE_URL', '--json'], { cwd: join(parent, 'api') });
      expect(set.out).to.contain('duckdb:../odd.duckdb');
    } finally {
      await rm(parent, { recursive: true });
    }
  });
});

describe('the folder of an API', () => {
  let parent: string;
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'repo-insight-init-'));
  });
  after(() => rm(parent, { recursive: true }));

  it('is also created without a database, and names the setting that is missing', async () => {
    expect((await run(['init', 'later'], { cwd: parent })).code).to.equal(0);
    const folder = join(parent, 'later');
    const checked = await run(['endpoint', 'check'], { cwd: folder });
    expect(checked.code, checked.out + checked.err).to.equal(0);
    const served = await run(['serve'], { cwd: folder, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    expect([served.code, served.err.includes('DATABASE_URL is not set. Write it into the file .env')]).to.deep.equal([
      2,
      true,
    ]);
  });

  const wrong: readonly (readonly [title: string, words: readonly string[], message: string])[] = [
    ['is not created where files are', ['full'], 'The folder full is not empty. Choose the name of a new folder.'],
    ['needs a title', ['new', '--title', ' '], '--title: expected 1 to 100 characters.'],
    ['needs a database for --table', ['new', '--table', 'orders'], '--table needs --database-url or --files.'],
    [
      'is not created if the database cannot be opened',
      ['new', '--database-url', 'duckdb:missing.duckdb'],
      'There is no database',
    ],
    ['is not created for a wrong URL', ['new', '--database-url', 'postgres://a/b'], '--database-url: expected'],
  ];
  for (const [title, words, message] of wrong) {
    it(title, async () => {
      await mkdir(join(parent, 'full', 'files'), { recursive: true });
      const { code, err } = await run(['init', ...words], { cwd: parent });
      expect([code, err.includes(message)], err).to.deep.equal([2, true]);
      expect(await readdir(parent)).not.to.include('new');
    });
  }

  it('can have endpoints under other prefixes, with the envelope of their errors', async () => {
    const folder = join(parent, 'prefixes');
    expect((await run(['init', 'prefixes'], { cwd: parent })).code).to.equal(0);
    await writeFile(join(folder, 'api.yaml'), 'title: Shop\nprefixes: [/api/v2, /x]\n');
    await mkdir(join(folder, 'tables'));
    await writeFile(join(folder, 'one.csv'), 'a\n1\n');
    await writeFile(join(folder, 'tables', 'one.yaml'), 'source: one.csv\n');
    const hello = await readFile(join(folder, 'endpoints', 'hello.yaml'), 'utf8');
    const checked = await run(['endpoint', 'check'], { cwd: folder });
    expect(checked.out).to.contain('path: wrong beginning of the path (expected /api/v2/… or /x/…, got "/v1/hello/")');
    await writeFile(join(folder, 'endpoints', 'hello.yaml'), hello.replace('/v1/hello/', '/api/v2/hello/'));
    const made = await run(['endpoint', 'new', '--table', 'one'], { cwd: folder });
    expect(await readFile(join(folder, 'endpoints', 'one.yaml'), 'utf8'), made.err).to.contain('path: /api/v2/one/');
    const service = startHere(['serve'], { cwd: folder, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    const url = await listening(service);
    const of = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return [response.status, response.headers.get('content-type'), (await response.text()).slice(0, 24)];
    };
    const json = 'application/json; charset=utf-8';
    const found = await Promise.all(['/api/v2/hello/?name=Ada', '/api/v2/none', '/x', '/v1/hello/'].map(of));
    expect(found).to.deep.equal([
      [200, json, '{"type":"sql_endpoint","'],
      [404, json, '{"type":"sql_endpoint","'],
      [404, json, '{"type":"sql_endpoint","'],
      [404, 'application/problem+json; charset=utf-8', found[3]?.[2]],
    ]);
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).to.include.members(['/api/v2/hello/', '/api/v2/{wildcard}', '/x/{wildcard}']);
    const diff = await run(['endpoint', 'diff', `${url}/openapi.json`], { cwd: folder });
    expect([diff.code, diff.err], diff.out).to.deep.equal([0, diff.err]);
    service.stop();
    await service.ended;
  });

  it('cannot have a prefix of the program, whose first segments are listed', async () => {
    const folder = join(parent, 'taken');
    await mkdir(folder);
    await writeFile(join(folder, 'api.yaml'), 'title: Shop\nprefixes: [/q/x]\n');
    const { code, err } = await run(['endpoint', 'check'], { cwd: folder });
    expect([code, err.includes('prefixes: /q/x is a path of the program itself')], err).to.deep.equal([2, true]);
    const api = {
      ...{ ...API_DEFAULTS, folder, title: 'Shop', description: 'Shop.', published: { orders: '*' as const } },
    };
    const { paths } = describeOperations([], { api }).openApi();
    const own = Object.keys(paths).filter((path) => path !== '/' && !path.startsWith('/v1/'));
    const segments = [
      ...own,
      ...ownApiPaths(true)
        .map(({ route }) => route)
        .filter((route) => route !== '/'),
      '/docs',
      '/mcp',
      '/metrics',
      '/assets',
    ];
    expect([...new Set(segments.map((path) => path.split('/')[1]))].sort()).to.deep.equal(
      [...RESERVED_SEGMENTS].sort(),
    );
  });

  it('reports every problem of api.yaml, and built-in definitions', async () => {
    const folder = join(parent, 'wrong');
    await mkdir(folder);
    await writeFile(join(folder, 'api.yaml'), 'titel: Shop\ndescription: 5\n');
    const { code, err } = await run(['endpoint', 'check'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.contain('api.yaml:1:1').and.contain('did you mean "title"?').and.contain('api.yaml:2:14');
    await writeFile(join(folder, 'api.yaml'), 'title: Shop\n');
    const mixed = await run(['endpoint', 'check'], { cwd: folder, environment: { ENDPOINTS_DIR: 'built-in' } });
    expect([mixed.code, mixed.err]).to.deep.equal([2, 'ENDPOINTS_DIR: `built-in` does not work with api.yaml.\n']);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { maskClock, proposeFromSelect, readCatalogueMeanings } from '../../engine/authoring/index.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { type Database, readCatalogue } from '../../engine/index.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded, itExceptOnTidb, SERVER } from '../services/server.js';

/** Tables with and without times of change. `{utc}` is the type of a time with a time zone. */
const TABLES = [
  'CREATE TABLE orders (id INT NOT NULL PRIMARY KEY, updated_at {utc})',
  'CREATE TABLE visits (id INT NOT NULL PRIMARY KEY, modified_at DATETIME)',
  'CREATE TABLE customers (id INT NOT NULL PRIMARY KEY, name VARCHAR(20))',
  'CREATE TABLE stock (id INT NOT NULL PRIMARY KEY)',
  'CREATE TABLE table_versions (table_name VARCHAR(64) NOT NULL PRIMARY KEY, updated_at {utc})',
  "INSERT INTO orders VALUES (1, '2026-01-01 10:00:00')",
  "INSERT INTO table_versions VALUES ('Customers', '2026-01-02 10:00:00'), ('stock', NULL)",
];
const UTC_TYPES = { duckdb: 'TIMESTAMPTZ', mysql: 'TIMESTAMP NULL' };
const FROM_ORDERS = 'SELECT MAX(updated_at) FROM orders';
const FROM_VERSIONS = "SELECT MAX(updated_at) FROM table_versions WHERE table_name = 'Customers'";

const tablesFor = (kind: keyof typeof UTC_TYPES) => TABLES.map((sql) => sql.replace('{utc}', UTC_TYPES[kind]));

describeEmbedded('definitions for the tables of a DuckDB file', () => {
  let folder: string;
  let database: Database;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-proposals-'));
    const options = { file: join(folder, 'shop.duckdb'), memoryLimit: '128MB', threads: 1, readers: 1 };
    const opened = await openEmbedded(options);
    await opened.write(async (connection) => {
      for (const sql of tablesFor('duckdb')) await connection.run(sql);
    });
    database = opened;
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  testProposals(() => database);
});

describe(`definitions for the tables of a ${SERVER} database`, () => {
  const server = useMysql();
  let database: Database;
  before(async () => {
    await execute(server.url, "SET time_zone = '+00:00'", ...tablesFor('mysql'));
    database = await openMysql({ url: server.url, connections: 1, allowWritingAccount: true });
  });
  after(() => database?.close());
  testProposals(() => database);

  itExceptOnTidb('its time zone is UTC', 'do not read the local time of a server as UTC', async () => {
    const [{ isUtc } = {}] = await execute(server.url, 'SELECT NOW() = UTC_TIMESTAMP() AS isUtc');
    expect(Number(isUtc)).to.equal(0);
    await execute(
      server.url,
      'CREATE TABLE filled (id INT NOT NULL PRIMARY KEY, updated_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP)',
      'CREATE TABLE followed (id INT NOT NULL PRIMARY KEY, updated_at DATETIME NULL ON UPDATE CURRENT_TIMESTAMP)',
    );
    for (const table of ['filled', 'followed']) {
      const { dataAsOf, notes } = await propose(database, `SELECT id FROM ${table}`);
      const reason = `the server writes its local time into ${table}.updated_at`;
      expect([dataAsOf, notes[0]]).to.deep.equal([undefined, `data_as_of is omitted, because ${reason}.`]);
    }
  });
});

/** Returns the keys about the age of answers of a proposed definition, and the notes about these keys. */
async function propose(database: Database, sql: string, versioned: readonly string[] = []) {
  const { definition, notes } = await proposeFromSelect(
    { file: 'SQL', text: sql },
    {
      tables: await readCatalogueMeanings(await readCatalogue(database), database),
      taken: { names: new Set(), routes: [] },
      choices: { named: new Map(), kept: new Set() },
      prefix: '/v1',
      privateData: { columns: {}, isPrivateTable: () => false },
      isVersioned: (table) => versioned.includes(table),
      describe: async (text) =>
        (await database.describe?.(database.prepare(maskClock(text)), { timeoutMs: 30_000 })) ?? [],
    },
  );
  const { data_as_of: dataAsOf, cache } = definition;
  if (typeof dataAsOf === 'string') await readTime(database, dataAsOf);
  return { dataAsOf, cache, notes: notes.filter((note) => /^(data_as_of|cache)/.test(note)) };
}

async function readTime(database: Database, sql: string) {
  const { rows } = await database.query(database.prepare(sql), [], { maxRows: 2, timeoutMs: 30_000 });
  return rows;
}

function testProposals(database: () => Database): void {
  const lifetime = (tables: string) =>
    `cache.ttl is 10s, because the service does not notice changes of ${tables}: a stored answer can be 10 s older than the data. ` +
    'Without cache, every request runs the query.';
  const cache = { ttl: '10s' };

  it('have a lifetime, and the time of a column that is in UTC', async () => {
    const proposed = await propose(database(), 'SELECT id FROM orders');
    expect(proposed).to.deep.equal({ dataAsOf: FROM_ORDERS, cache, notes: [lifetime('orders')] });
    expect(await readTime(database(), FROM_ORDERS)).to.deep.equal([['2026-01-01 10:00:00']]);
  });

  it('have a note about a column whose time zone is unknown', async () => {
    const { dataAsOf, notes } = await propose(database(), 'SELECT id FROM visits');
    expect([dataAsOf, notes[0]]).to.deep.equal([
      'SELECT MAX(modified_at) FROM visits',
      'data_as_of reads visits.modified_at as UTC. If it contains local times, convert them, or remove data_as_of.',
    ]);
  });

  it('have the time of a table of versions, only for the tables that it contains', async () => {
    expect((await propose(database(), 'SELECT name FROM customers')).dataAsOf).to.equal(FROM_VERSIONS);
    const { dataAsOf, notes } = await propose(database(), 'SELECT id FROM stock');
    expect([dataAsOf, notes]).to.deep.equal([undefined, [lifetime('stock')]]);
  });

  it('have the newest time of all tables, or none if the time of one table is unknown', async () => {
    const joined = 'WITH c AS (SELECT id FROM customers) SELECT o.id FROM orders o JOIN c ON c.id = o.id';
    const { dataAsOf } = await propose(database(), joined);
    const parts = [FROM_ORDERS, FROM_VERSIONS].map((sql) => sql.replace(' FROM', ' AS newest FROM'));
    expect(dataAsOf).to.be.oneOf(
      [parts, [...parts].reverse()].map(
        (selects) => `SELECT MAX(newest) FROM (${selects.join(' UNION ALL ')}) changes`,
      ),
    );
    expect(await readTime(database(), String(dataAsOf))).to.deep.equal([['2026-01-02 10:00:00']]);
    const withStock = await propose(database(), `${joined} WHERE o.id IN (SELECT id FROM stock)`);
    expect([withStock.dataAsOf, withStock.notes[0]]).to.deep.equal([
      undefined,
      'data_as_of is omitted, because no column of stock states the time of a change.',
    ]);
  });

  it('have no lifetime if the service notices all changes, or if their answers are never stored', async () => {
    expect(await propose(database(), 'SELECT id FROM orders', ['orders'])).to.deep.equal({
      dataAsOf: FROM_ORDERS,
      cache: undefined,
      notes: [],
    });
    expect((await propose(database(), 'SELECT id FROM orders WHERE updated_at < {{ now }}')).cache).to.equal(undefined);
  });
}

import { setMaxListeners } from 'node:events';
import { expect } from 'chai';
import { type MysqlDatabase, openMysql } from '../../../engine/databases/mysql/database.js';
import { createEngine, type Endpoint, type Engine, type EngineEvent } from '../../../engine/index.js';
import { endpointOf } from '../../engine/fixtures.js';
import { eventually } from '../../services/eventually.js';
import { execute, needServer, withDatabase } from '../../services/mysql.js';
import { type DatabaseServer, startServer } from '../../services/server.js';
import { codeOf } from '../failures.js';

const RAW = { path: {}, query: {} };

describe('the engine over a MySQL-protocol database with faults', () => {
  needServer();
  let server: DatabaseServer;
  let database: MysqlDatabase;
  let engine: Engine;
  let events: EngineEvent['kind'][];
  let loaves: Endpoint;
  let ovens: Endpoint;

  before(async () => {
    server = await startServer();
    await execute(server.url, 'CREATE DATABASE bakery');
    await execute(
      url(),
      'CREATE TABLE ovens (id BIGINT PRIMARY KEY)',
      'INSERT INTO ovens VALUES (1)',
      'CREATE TABLE doughs (id BIGINT PRIMARY KEY, seconds INT NOT NULL)',
      'INSERT INTO doughs VALUES (1, 0)',
      'CREATE VIEW loaves AS SELECT id FROM doughs WHERE SLEEP(seconds) = 0',
    );
    [loaves, ovens] = await Promise.all([endpointOver('loaves'), endpointOver('ovens')]);
  });
  after(() => server?.remove());

  beforeEach(async () => {
    events = [];
    database = await openMysql({ url: url(), allowWritingAccount: true, connections: 8 });
    engine = createEngine({
      endpoints: [loaves, ovens],
      database,
      clock: () => new Date(0),
      stopwatch: () => 0,
      observe: ({ kind }) => kind === 'queried' || events.push(kind),
    });
  });
  afterEach(() => database.close());

  const url = () => withDatabase(server.url, 'bakery');
  it('answers an endpoint while 500 clients wait for a slow one', async () => {
    await execute(url(), 'UPDATE doughs SET seconds = 100000');
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const codes = Array.from({ length: 500 }, () => codeOf(engine.run(loaves, RAW, { signal: leaving.signal })));
    await eventually(() => database.pool?.busy === 6);
    for (let round = 0; round < 20; round++) expect((await engine.run(ovens, RAW)).rows).to.deep.equal([[1]]);
    expect(database.pool?.busy, 'the connections that the slow endpoint uses').to.equal(6);
    leaving.abort();
    expect(await Promise.all(codes)).to.deep.equal(Array(500).fill('query_cancelled'));
    await execute(url(), 'UPDATE doughs SET seconds = 0');
    // The server may still be stopping the slow queries.
    await eventually(async () => (await codeOf(engine.run(loaves, RAW))) === 'no error');
    expect((await engine.run(loaves, RAW)).rows).to.deep.equal([[1]]);
  });

  it('returns database_unavailable while the server is stopped, and answers after its restart', async () => {
    expect((await engine.run(ovens, RAW)).rows).to.deep.equal([[1]]);
    await server.stop();
    for (let round = 0; round < 20; round++) {
      expect(await codeOf(engine.run(ovens, RAW))).to.equal('database_unavailable');
    }
    expect(events).to.include('breaker_opened');
    await server.restart();
    await eventually(async () => (await codeOf(engine.run(ovens, RAW))) === 'no error');
    expect(events.at(-2)).to.equal('breaker_closed');
  });
});

function endpointOver(table: string): Promise<Endpoint> {
  return endpointOf(`name: ${table}
summary: A toy
limits: { timeout: 10m }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
sql: SELECT t.id FROM ${table} t
`);
}

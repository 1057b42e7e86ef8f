import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { IN_MEMORY } from '../../engine/databases/duckdb/connection/options.js';
import { type EmbeddedDatabase, openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { createEngine, DefinitionsError, type EmbeddedEngine, EngineError } from '../../engine/embed/index.js';

const NOW = new Date('2026-03-01T12:00:00Z');

const ORDERS = `name: orders
path: /api/orders/{status}/
summary: Orders
params:
  status: { in: path, type: string, enum: { sql: "SELECT DISTINCT status FROM orders" }, example: open, description: The status }
cache: { ttl: 1h }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: The number of the order }
  - { col: at, data_type: DATETIME, nullable: false, description: The time of the order }
sql: SELECT id, CAST('2026-03-01 12:00:00' AS DATETIME) AS at FROM orders WHERE status = {{ status }} ORDER BY id
examples:
  - { name: open orders, params: { status: open } }
`;

describe('an engine in another program', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let engine: EmbeddedEngine;
  const servers: Server[] = [];
  const errors: unknown[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-embed-'));
    database = await openEmbedded({ file: IN_MEMORY, memoryLimit: '128MB', threads: 1, readers: 1 });
    await database.write(async (connection) => {
      await connection.run(
        `CREATE TABLE orders AS SELECT i AS id, IF(i > 2, 'open', 'paid') AS status FROM range(1, 5) r(i)`,
      );
    });
    await writeFile(join(folder, 'orders.yaml'), ORDERS);
    engine = await open();
  });
  after(async () => {
    for (const server of servers) server.close();
    await engine.close();
    await database.close();
    await rm(folder, { recursive: true });
    expect(errors).to.deep.equal([]);
  });

  const open = (definitions = folder) =>
    createEngine({
      database,
      definitions,
      prefixes: ['/api'],
      clock: () => NOW,
      onError: (error) => errors.push(error),
    });
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const rejection = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('not rejected'),
      (error: unknown) => error,
    );

  it('runs an endpoint, and rejects wrong names and parameters', async () => {
    const { data, fields, params } = await engine.run('orders', { status: 'open' });
    expect({ data, fields, params }).to.deep.equal({
      data: [
        { id: 3, at: '2026-03-01 12:00:00' },
        { id: 4, at: '2026-03-01 12:00:00' },
      ],
      fields: [
        { name: 'id', columnType: 'BIGINT' },
        { name: 'at', columnType: 'DATETIME' },
      ],
      params: { status: 'open' },
    });
    const codes = [
      await rejection(engine.run('order')),
      await rejection(engine.run('orders', { status: 'lost' })),
      await rejection(engine.run('orders', { status: 'open', page: 2 })),
      await rejection(engine.run('orders', { status: 'open' }, { signal: AbortSignal.abort() })),
    ].map((error) => error instanceof EngineError && error.code);
    expect(codes).to.deep.equal(['endpoint_not_found', 'bad_parameter', 'bad_parameter', 'query_cancelled']);
  });

  it('answers requests of node:http: endpoints, formats, errors and other paths', async () => {
    const url = await serve(engine.handler());
    const read = async (path: string, init?: RequestInit) => {
      const answer = await fetch(url + path, init);
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    expect(await read('/api/orders/paid/?format=csv')).to.deep.equal({
      status: 200,
      type: 'text/csv; charset=utf-8; header=present',
      text: 'id,at\r\n1,2026-03-01 12:00:00\r\n2,2026-03-01 12:00:00\r\n',
    });
    expect(JSON.parse((await read('/q/orders?status=open')).text)).to.deep.include({ params: { status: 'open' } });
    expect((await read('/api/orders/lost/')).status).to.equal(400);
    expect(await read('/other')).to.deep.include({ status: 404, type: 'application/problem+json; charset=utf-8' });
    expect((await read('/api/orders/open/', { method: 'POST' })).status).to.equal(405);
    const options = await fetch(`${url}/api/orders/open/`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
  });

  it('is a handler of express, and passes other paths on', async () => {
    const app = express();
    app.use(engine.handler());
    app.get('/own', (_, response) => void response.send('own'));
    const url = await serve(app);
    expect(await (await fetch(`${url}/own`)).text()).to.equal('own');
    const answers = [await fetch(`${url}/api/orders/paid/`), await fetch(`${url}/api/orders/paid/`)];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(answers[1]?.headers.get('cache-status')).to.match(/; hit/);
  });

  it('does not open with a wrong definition, or one that the database rejects', async () => {
    const wrong = await mkdtemp(join(tmpdir(), 'repo-insight-embed-'));
    const load = async (definition: string) => {
      await writeFile(join(wrong, 'orders.yaml'), definition);
      return rejection(open(wrong));
    };
    const misspelled = await load(ORDERS.replace('summary', 'sumary'));
    expect(misspelled).to.be.instanceOf(DefinitionsError);
    expect((misspelled as Error).message).to.match(/orders\.yaml:\d+:\d+ .*sumary/);
    const missing = await load(ORDERS.replace(/FROM orders/g, 'FROM order_items'));
    expect(missing).to.be.instanceOf(DefinitionsError);
    expect((missing as Error).message).to.match(/order_items/);
    await rm(wrong, { recursive: true });
  });

  it('says why a database cannot be opened', async () => {
    const error = await rejection(
      createEngine({ database: `duckdb:${join(folder, 'none.duckdb')}`, definitions: folder, prefixes: ['/api'] }),
    );
    expect((error as Error).message).to.match(/none\.duckdb/);
  });
});

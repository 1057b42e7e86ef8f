/**
 * The least that can answer: the database's driver, JSON.stringify and node:http. Runs the SQL of each endpoint's first
 * example under `/<endpoint name>`, prepared once a connection, over the same file and with as many connections as the
 * service has.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { createMacros, instanceOptions } from '../../databases/duckdb/settings.js';
import { translate } from '../../databases/duckdb/translate.js';
import { type BoundValue, rawFromValues } from '../../engine/index.js';
import { loadDefinitions } from '../../server/definitions.js';
import { readSettings } from '../../server/settings.js';
import { databaseFile } from '../../server/warehouse.js';

const [folder = '', now = ''] = process.argv.slice(2);
const settings = readSettings({ DATA_DIR: folder });
const instance = await DuckDBInstance.create(
  databaseFile(settings) ?? '',
  instanceOptions({
    memoryLimit: settings.databaseMemory,
    threads: 2,
    tempDirectory: folder,
  }),
);
await createMacros(await instance.connect());
const queries = new Map<string, { readonly sql: string; readonly values: readonly BoundValue[] }>(
  (await loadDefinitions(settings)).map((endpoint) => {
    const raw = rawFromValues(endpoint.parameters, endpoint.definition.examples[0]?.params ?? {});
    const { sql, values } = endpoint.query.compile(endpoint.readParameters(raw), new Date(now));
    return [`/${endpoint.definition.name}`, { sql: translate(sql), values }];
  }),
);

type Statements = Map<string, DuckDBPreparedStatement>;

/** Each connection answers one request at a time, as the driver wants it. */
const idle = await Promise.all(
  Array.from({ length: settings.databaseReaders }, async () => {
    const connection = await instance.connect();
    const statements: Statements = new Map();
    for (const [path, { sql }] of queries) statements.set(path, await connection.prepare(sql));
    return statements;
  }),
);
const waiting: ((statements: Statements) => void)[] = [];

const server = createServer(async (request, response) => {
  const statements = idle.pop() ?? (await new Promise<Statements>((resolve) => waiting.push(resolve)));
  const path = request.url ?? '';
  const statement = statements.get(path);
  if (statement === undefined) throw new Error(`no query ${path}`);
  statement.bind([...(queries.get(path)?.values ?? [])]);
  const rows = (await statement.runAndReadAll()).getRowObjectsJson();
  const next = waiting.shift();
  if (next === undefined) idle.push(statements);
  else next(statements);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(rows));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  instance.closeSync();
});

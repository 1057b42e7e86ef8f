/**
 * A minimal server on the embedded database, as a reference: its driver, JSON.stringify and node:http. This server uses the same file and
 * as many connections as the service, and prepares each query once per connection. The arguments are settings.
 */

import { DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { createMacros, instanceOptions } from '../../engine/databases/duckdb/connection/settings.js';
import { translate } from '../../engine/sql/duckdb/translate.js';
import { DEFAULT_CONNECTIONS, databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { exampleQueries, serveRows } from './bare-answers.js';
import { variablesOf } from './variables.js';

const settings = readSettings(variablesOf(process.argv.slice(2)));
const instance = await DuckDBInstance.create(
  databaseFile(settings) ?? '',
  instanceOptions({
    memoryLimit: settings.databaseMemory,
    threads: 2,
    tempDirectory: settings.dataDirectory,
  }),
);
await createMacros(await instance.connect());
const queries = await exampleQueries(settings);

type Statements = Map<string, DuckDBPreparedStatement>;

/** The idle connections. A connection can run only one query at a time. */
const idle = await Promise.all(
  Array.from({ length: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded }, async () => {
    const connection = await instance.connect();
    const statements: Statements = new Map();
    for (const [path, { sql }] of queries) statements.set(path, await connection.prepare(translate(sql)));
    return statements;
  }),
);
const waiting: ((statements: Statements) => void)[] = [];

serveRows(async (path) => {
  const statements = idle.pop() ?? (await new Promise<Statements>((resolve) => waiting.push(resolve)));
  const statement = statements.get(path);
  if (statement === undefined) throw new Error(`no query ${path}`);
  statement.bind([...(queries.get(path)?.values ?? [])]);
  const rows = (await statement.runAndReadAll()).getRowObjectsJson();
  const next = waiting.shift();
  if (next === undefined) idle.push(statements);
  else next(statements);
  return rows;
});
process.once('exit', () => instance.closeSync());

/**
 * A reference server with hand-written SQL on a DuckDB file: prepared statements of the driver, with as many connections as the service.
 * The argument is the file.
 */
import { DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { DEFAULT_CONNECTIONS } from '../../../server/settings/database-location.js';
import { handWrittenSql, serveQueries } from './hand-written-queries.js';

const instance = await DuckDBInstance.create(process.argv[2] ?? '', { access_mode: 'READ_ONLY' });
type Statements = ReadonlyMap<string, DuckDBPreparedStatement>;

/** The idle connections. A connection can run only one query at a time. */
const idle: Statements[] = [];
for (let index = 0; index < DEFAULT_CONNECTIONS.embedded; index += 1) {
  const connection = await instance.connect();
  const statements = new Map<string, DuckDBPreparedStatement>();
  for (const [name, sql] of handWrittenSql('duckdb')) statements.set(name, await connection.prepare(sql));
  idle.push(statements);
}
const waiting: ((statements: Statements) => void)[] = [];

serveQueries(async (name, values) => {
  const statements = idle.pop() ?? (await new Promise<Statements>((resolve) => waiting.push(resolve)));
  const statement = statements.get(name);
  if (statement === undefined) throw new Error(`no query ${name}`);
  statement.bind(values);
  const rows = (await statement.runAndReadAll()).getRowObjectsJson();
  const next = waiting.shift();
  if (next === undefined) idle.push(statements);
  else next(statements);
  return rows;
});

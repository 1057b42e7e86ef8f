/**
 * Reads all rows of the table for the `formats` benchmark, using only the driver. With the argument `drop`, it discards them and prints the
 * time. With `serve`, it answers each request with the rows, as one JSON array per line. The arguments after it are settings.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DuckDBInstance } from '@duckdb/node-api';
import { createConnection } from 'mysql2';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { QUERY, ROWS } from '../formats/rows-table.js';
import { variablesOf } from './variables.js';

type Row = readonly unknown[];
/** Called with a batch of rows. The next batch is read after the promise has resolved. */
type Take = (rows: readonly Row[]) => Promise<void> | undefined;
type ReadRows = (take: Take) => Promise<void>;

/** The number of rows in a chunk of the embedded database. */
const BATCH_ROWS = 2_048;

const [mode, ...variables] = process.argv.slice(2);
const settings = readSettings(variablesOf(variables));
const file = databaseFile(settings);
const readRows = await (file === undefined ? openServer(settings.databaseUrl ?? '') : openFile(file));
if (mode === 'serve') serve();
else await drop();

async function drop(): Promise<void> {
  let rows = 0;
  const started = performance.now();
  const cpu = process.cpuUsage();
  await readRows((batch) => {
    rows += batch.length;
    return undefined;
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  if (rows !== ROWS) throw new Error(`expected ${ROWS} rows, got ${rows}`);
  process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6 })}\n`, () => process.exit());
}

function serve(): void {
  const server = createServer(async (_request, response) => {
    let rows = 0;
    response.setHeader('Trailer', 'X-Row-Count');
    await readRows((batch) => {
      rows += batch.length;
      return response.write(linesOf(batch)) ? undefined : drained(response);
    });
    response.addTrailers({ 'X-Row-Count': String(rows) });
    response.end();
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => process.exit());
}

function linesOf(rows: readonly Row[]): string {
  let text = '';
  for (const row of rows) text += `${JSON.stringify(row, textOfObjects)}\n`;
  return text;
}

/** Converts values for JSON: the driver of the embedded database returns bigints, and objects for times and decimals. */
function textOfObjects(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'object' && !Array.isArray(value) && value !== null)
    ? String(value)
    : value;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

async function openFile(path: string): Promise<ReadRows> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  return async (take) => {
    const result = await connection.stream(QUERY);
    for await (const rows of result.yieldRows()) await take(rows);
  };
}

async function openServer(uri: string): Promise<ReadRows> {
  const connection = createConnection({ uri, rowsAsArray: true, dateStrings: true, supportBigNumbers: true });
  await new Promise((resolve) => connection.query('DO 0', resolve));
  return (take) =>
    new Promise((resolve, reject) => {
      let batch: Row[] = [];
      const pass = () => {
        const taken = take(batch);
        batch = [];
        if (taken === undefined) return;
        connection.pause();
        taken.then(() => connection.resume());
      };
      connection
        .execute(QUERY)
        .on('result', (row) => {
          batch.push(row as unknown as Row);
          if (batch.length === BATCH_ROWS) pass();
        })
        .on('error', reject)
        .on('end', () => {
          if (batch.length > 0) pass();
          resolve();
        });
    });
}

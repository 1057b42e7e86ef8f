/** Reads all rows of the table of the benchmark of formats with the driver alone, and drops them. The arguments are settings. */
import { DuckDBInstance } from '@duckdb/node-api';
import { createConnection } from 'mysql2';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { QUERY, ROWS } from '../formats/rows-table.js';
import { variablesOf } from './variables.js';

const settings = readSettings(variablesOf(process.argv.slice(2)));
const file = databaseFile(settings);
const { rows, seconds } = await (file === undefined ? readServer(settings.databaseUrl ?? '') : readFile(file));
if (rows !== ROWS) throw new Error(`expected ${ROWS} rows, got ${rows}`);
process.stdout.write(`${JSON.stringify({ seconds })}\n`);

async function readFile(path: string): Promise<{ rows: number; seconds: number }> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const started = performance.now();
  let rows = 0;
  const result = await connection.stream(QUERY);
  for await (const chunk of result.yieldRows()) rows += chunk.length;
  const seconds = (performance.now() - started) / 1000;
  connection.closeSync();
  instance.closeSync();
  return { rows, seconds };
}

function readServer(uri: string): Promise<{ rows: number; seconds: number }> {
  const connection = createConnection({ uri, rowsAsArray: true, dateStrings: true, supportBigNumbers: true });
  return new Promise((resolve, reject) => {
    connection.query('DO 0', () => {
      const started = performance.now();
      let rows = 0;
      connection
        .execute(QUERY)
        .on('result', () => {
          rows += 1;
        })
        .on('error', reject)
        .on('end', () => {
          connection.end();
          resolve({ rows, seconds: (performance.now() - started) / 1000 });
        });
    });
  });
}

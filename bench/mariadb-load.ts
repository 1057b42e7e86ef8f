import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { sessionStatements } from '../databases/mysql/connection/session.js';
import { importFolders, openFile, openWarehouse, requireStore } from '../server/warehouse.js';
import type { Store } from '../warehouse/store/store.js';
import { demoSettings, makeDemo, serverVariables } from './demo-service.js';
import { type Figure, inTurn, median } from './measure.js';
import { onMariaDb } from './on-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 7;
const BAR = 0.7;
const NAME = 'mariadb load / LOAD DATA INFILE';

/**
 * What an import does with the rows of a batch, which are in DuckDB, against the server that reads the same rows from a
 * file which it wrote itself before. Both into the same table, emptied each time.
 */
export async function benchMariaDbLoad(folder: string, say: (text: string) => void): Promise<Figure[]> {
  return onMariaDb(NAME, async (url) => {
    say(`making a demo of ${EVENTS} events`);
    const rows = await makeRows(folder);
    const warehouse = await openWarehouse(demoSettings(folder, serverVariables(url)), { migrating: true });
    const server = await createConnection({ uri: url });
    try {
      for (const statement of sessionStatements('mariadb', 'write')) await server.query(statement);
      return await compareLoads(requireStore(warehouse), server, { rows, file: join(folder, 'events.tsv') }, say);
    } finally {
      await Promise.all([warehouse.close(), server.end()]);
    }
  });
}

/** A file of the rows that a demo becomes in github_events, for DuckDB, in the folder from which the store's may read. */
async function makeRows(folder: string): Promise<string> {
  const settings = demoSettings(folder);
  await makeDemo(settings, EVENTS);
  const rows = join(importFolders(settings).stagingDirectory, 'events.parquet');
  const warehouse = await openFile(settings, join(folder, 'repo-insight.duckdb'));
  await requireStore(warehouse).useStaging((bench) => bench.run(`COPY github_events TO '${rows}'`));
  await warehouse.close();
  return rows;
}

interface Files {
  readonly rows: string;
  /** The same rows in the server's own format. */
  readonly file: string;
}

async function compareLoads(store: Store, server: Connection, files: Files, say: (text: string) => void) {
  const batch = Math.min(EVENTS, store.batchEvents);
  await store.useStaging((bench) =>
    bench.run(`CREATE TEMP TABLE batch AS FROM '${files.rows}' ORDER BY created_at LIMIT ${batch}`),
  );
  const append = () => store.write((tables) => tables.append('github_events', 'SELECT * FROM batch'));
  await append();
  await server.query(`SELECT * INTO OUTFILE '${files.file}' CHARACTER SET utf8mb4 FROM github_events`);
  const load = `LOAD DATA INFILE '${files.file}' INTO TABLE github_events CHARACTER SET utf8mb4`;
  say(`${ROUNDS} rounds of loading ${batch} rows`);
  const seconds = await inTurn(ROUNDS, {
    server: () => secondsOf(server, batch, () => server.query(load)),
    ours: () => secondsOf(server, batch, append),
  });
  const [alone, ours] = [median(seconds.server), median(seconds.ours)];
  const detail = `${ours.toFixed(2)} s against ${alone.toFixed(2)} s for ${batch} events, medians of ${ROUNDS}`;
  return [{ name: NAME, value: alone / ours, unit: '×', bar: BAR, keeps: 'at least', detail } as const];
}

/** Of work that brings so many rows into the table, which is empty before. */
async function secondsOf(server: Connection, rows: number, work: () => Promise<unknown>): Promise<number> {
  await server.query('TRUNCATE TABLE github_events');
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const [[row]] = await server.query<RowDataPacket[]>('SELECT COUNT(*) AS rows_there FROM github_events');
  if (Number(row?.rows_there) !== rows) throw new Error(`${row?.rows_there} rows were loaded, not ${rows}`);
  return seconds;
}

import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { sessionStatements } from '../engine/databases/mysql/connection/session.js';
import { openWarehouse } from '../server/databases/open-database.js';
import { openFile } from '../server/databases/open-warehouse.js';
import { importFolders, requireStore } from '../server/databases/warehouse.js';
import type { Store } from '../warehouse/store/store.js';
import { createDemo, demoSettings, serverVariables } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { withMariaDb } from './with-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 7;
const TARGET = 0.7;
const NAME = 'mariadb load / LOAD DATA INFILE';

/**
 * Measures how fast an import loads the rows of a batch from DuckDB into MariaDB. Compares this with LOAD DATA from a file that MariaDB has
 * written. Both load into the same table, which is emptied before each load.
 */
export async function benchMariaDbLoad(folder: string, log: (text: string) => void): Promise<Figure[]> {
  return withMariaDb(NAME, async (url) => {
    log(`creating a demo of ${EVENTS} events`);
    const rows = await createRows(folder);
    const warehouse = await openWarehouse(demoSettings(folder, serverVariables(url)), { migrating: true });
    const server = await createConnection({ uri: url });
    try {
      for (const statement of sessionStatements('mariadb', 'write')) await server.query(statement);
      return await compareLoads(requireStore(warehouse), server, { rows, file: join(folder, 'events.tsv') }, log);
    } finally {
      await Promise.all([warehouse.close(), server.end()]);
    }
  });
}

/** Writes the rows of `github_events` of a demo to a file in the staging folder, from which the DuckDB of the store can read. */
async function createRows(folder: string): Promise<string> {
  const settings = demoSettings(folder);
  await createDemo(settings, EVENTS);
  const rows = join(importFolders(settings).stagingDirectory, 'events.parquet');
  const warehouse = await openFile(settings, join(folder, 'repo-insight.duckdb'));
  await requireStore(warehouse).useStaging((bench) => bench.run(`COPY github_events TO '${rows}'`));
  await warehouse.close();
  return rows;
}

interface Files {
  readonly rows: string;
  /** The file with the same rows, written by the server. */
  readonly file: string;
}

async function compareLoads(store: Store, server: Connection, files: Files, log: (text: string) => void) {
  const batch = Math.min(EVENTS, store.batchEvents);
  await store.useStaging((bench) =>
    bench.run(`CREATE TEMP TABLE batch AS FROM '${files.rows}' ORDER BY created_at LIMIT ${batch}`),
  );
  const append = () => store.write((tables) => tables.append('github_events', 'SELECT * FROM batch'));
  await append();
  await server.query(`SELECT * INTO OUTFILE '${files.file}' CHARACTER SET utf8mb4 FROM github_events`);
  const load = `LOAD DATA INFILE '${files.file}' INTO TABLE github_events CHARACTER SET utf8mb4`;
  log(`${ROUNDS} rounds of loading ${batch} rows`);
  const seconds = await alternate(ROUNDS, {
    server: () => secondsOf(server, batch, () => server.query(load)),
    ours: () => secondsOf(server, batch, append),
  });
  const [alone, ours] = [median(seconds.server), median(seconds.ours)];
  const detail = `${ours.toFixed(2)} s against ${alone.toFixed(2)} s for ${batch} events, medians of ${ROUNDS}`;
  return [{ name: NAME, value: alone / ours, unit: '×', target: TARGET, bound: 'at least', detail } as const];
}

/** Empties the table, then measures the work. The work must load `rows` rows. */
async function secondsOf(server: Connection, rows: number, work: () => Promise<unknown>): Promise<number> {
  await server.query('TRUNCATE TABLE github_events');
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const [[row]] = await server.query<RowDataPacket[]>('SELECT COUNT(*) AS rows_there FROM github_events');
  if (Number(row?.rows_there) !== rows) throw new Error(`${row?.rows_there} rows were loaded, not ${rows}`);
  return seconds;
}

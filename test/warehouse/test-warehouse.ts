import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EmbeddedDatabase, openEmbedded } from '../../databases/duckdb/embedded.js';
import { type ImportOptions, importSources } from '../../warehouse/import/import-sources.js';
import type { ImportSummary } from '../../warehouse/import/summary.js';
import { migrate } from '../../warehouse/migrate.js';
import { EmbeddedStore } from '../../warehouse/store/embedded-store.js';
import type { Store } from '../../warehouse/store/store.js';
import { type Rows, sorted } from './oracle-tables.js';

export const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/events/', import.meta.url));

/** The tables that an import fills; the same after every way to import the same events. */
export const IMPORTED_TABLES = [
  'github_events',
  'github_repos',
  'github_users',
  'repo_owners',
  'mv_repo_issues',
  'mv_repo_pull_requests',
  'mv_repo_stars',
  'mv_repo_forks',
  'mv_repo_daily_engagements',
  'mv_repo_participants',
  'mv_repo_issue_creators',
  'mv_repo_pull_request_creators',
  'mv_repo_daily_newcomers',
  'mv_repo_totals',
  'mv_event_coverage',
  'mv_feed_gaps',
];

/** A warehouse in a folder of its own, which is gone after `close`. */
export interface TestWarehouse {
  readonly folder: string;
  readonly database: EmbeddedDatabase;
  readonly store: Store;
  import(sources: readonly string[], options?: Partial<ImportOptions>): Promise<ImportSummary>;
  /** The rows of a query as text, sorted. */
  rows(sql: string): Promise<Rows>;
  /** All rows of all imported tables. */
  everything(): Promise<Record<string, Rows>>;
  close(): Promise<void>;
}

export const NOW = new Date('2026-01-26T00:00:00Z');

export async function testWarehouse(): Promise<TestWarehouse> {
  return reopened(await mkdtemp(join(tmpdir(), 'warehouse-')));
}

/** The warehouse of a folder whose database was closed. */
export async function reopened(folder: string): Promise<TestWarehouse> {
  const { database, store, importOptions } = await openTestDatabase(folder);
  await migrate(store);
  const rows = (sql: string) =>
    database.maintain(async (connection) => {
      const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`);
      return sorted(reader.getRowsJS() as (string | null)[][]);
    });
  return {
    folder,
    database,
    store,
    import: (sources, options) => importSources(store, sources, { ...importOptions, now: NOW, ...options }),
    rows,
    everything: async () => {
      const tables: Record<string, Rows> = {};
      for (const table of IMPORTED_TABLES) tables[table] = await rows(`SELECT * FROM ${table}`);
      return tables;
    },
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The database of a folder, with small limits, and the folders that an import uses. */
export async function openTestDatabase(folder: string) {
  const database = await openEmbedded({
    file: join(folder, 'test.duckdb'),
    memoryLimit: '256MB',
    threads: 2,
    readers: 1,
    tempDirectory: join(folder, 'temporary'),
    stagingDirectory: join(folder, 'staging'),
  });
  const importOptions = { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
  return { database, store: new EmbeddedStore(database), importOptions };
}

import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../engine/index.js';
import type { ImportOptions } from '../../warehouse/import/import-options.js';
import { importSources } from '../../warehouse/import/import-sources.js';
import type { ImportSummary } from '../../warehouse/import/summary.js';
import { migrate } from '../../warehouse/migrate.js';
import type { Store } from '../../warehouse/store/store.js';
import { copyEmptyFile, copyEmptyTables } from '../service/demo-data.js';
import { createDatabase, execute, useMysql, withDatabase } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';
import { type Rows, sorted } from './oracle-tables.js';
import { NOW, openTestStore, testFile } from './test-store.js';

export const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/events/', import.meta.url));

/** The tables that an import fills. The rows of these tables must not depend on the order or the number of imports of the same events. */
export const IMPORTED_TABLES = [
  'github_events',
  'github_repos',
  'github_users',
  'repo_owners',
  'repo_name_uses',
  'user_name_uses',
  'mv_repo_issues',
  'mv_repo_pull_requests',
  'mv_repo_stars',
  'mv_repo_forks',
  'mv_repo_daily_counts',
  'mv_repo_people',
  'mv_repo_issue_creators',
  'mv_repo_pull_request_creators',
  'mv_repo_daily_newcomers',
  'mv_repo_totals',
  'mv_repo_names',
  'mv_user_names',
  'mv_event_coverage',
  'mv_feed_gaps',
];

/** A warehouse in a separate folder, or in a separate database on a server. `close` removes the warehouse. */
export interface TestWarehouse {
  readonly folder: string;
  /** The URL of the database; undefined for a file in the folder. */
  readonly url: string | undefined;
  readonly database: Database;
  readonly store: Store;
  import(sources: readonly string[], options?: Partial<ImportOptions>): Promise<ImportSummary>;
  /** Runs a SELECT in the MySQL dialect. Returns the rows as sorted texts. */
  rows(sql: string): Promise<Rows>;
  /** Returns the rows of all imported tables. */
  everything(): Promise<Record<string, Rows>>;
  /** Closes the database but keeps its data. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a warehouse with empty tables. */
export type MakeWarehouse = () => Promise<TestWarehouse>;

/** Defines a suite for each kind of database. */
export function onEveryDatabase(title: string, suite: (make: MakeWarehouse) => void): void {
  onEmbeddedDatabase(title, suite);
  onServerDatabase(title, suite);
}

/** Defines a suite for the embedded database only. Used instead of `onEveryDatabase` for logic above the store. */
export function onEmbeddedDatabase(title: string, suite: (make: MakeWarehouse) => void): void {
  describeEmbedded(`${title}, on the embedded database`, () => suite(testWarehouse));
}

/** Defines a suite for the server only. */
export function onServerDatabase(title: string, suite: (make: MakeWarehouse) => void): void {
  describe(`${title}, on ${SERVER}`, () => {
    const server = useMysql();
    suite(() => serverWarehouse(server.url));
  });
}

export async function testWarehouse(): Promise<TestWarehouse> {
  const folder = await temporaryFolder();
  await copyEmptyFile(testFile(folder));
  return reopened(folder, undefined);
}

/** Creates a warehouse in a new database on the server of a URL. */
export async function serverWarehouse(server: string): Promise<TestWarehouse> {
  const url = await newDatabase(server);
  await copyEmptyTables(url);
  return reopened(await temporaryFolder(), url);
}

/** Creates an empty database on the server of a URL. */
export async function newDatabase(server: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createDatabase(server, name);
  return withDatabase(server, name);
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'warehouse-'));
  await mkdir(join(folder, 'staging'));
  return folder;
}

/** Opens an existing warehouse. */
export async function reopened(folder: string, url: string | undefined): Promise<TestWarehouse> {
  const { database, store, importOptions, close } = await openTestStore(folder, url);
  await migrate(store);
  const rows = async (sql: string) => {
    const cells = await store.write((tables) => tables.rows(sql));
    return sorted(cells.map((row) => row.map((cell) => (cell === null ? null : String(cell)))));
  };
  return {
    folder,
    url,
    database,
    store,
    import: (sources, options) => importSources(store, sources, { ...importOptions, now: NOW, ...options }),
    rows,
    everything: async () => {
      const tables: Record<string, Rows> = {};
      for (const table of IMPORTED_TABLES) tables[table] = await rows(`SELECT * FROM ${table}`);
      return tables;
    },
    leave: close,
    close: async () => {
      await close();
      if (url !== undefined) await execute(url, `DROP DATABASE ${new URL(url).pathname.slice(1)}`);
      await rm(folder, { recursive: true });
    },
  };
}

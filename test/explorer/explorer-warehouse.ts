import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StateStore } from '../../accounts/state-store.js';
import type { Database } from '../../engine/index.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { Settings } from '../../server/settings/settings.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { createUsers } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';

/**
 * A query over the demo data that runs for many seconds on every database. The estimated cost of the query, about 10^9 combinations, is
 * below the limit of the playground.
 */
export const ENDLESS_SQL = `SELECT SUM((a.id + b.id + c.id) % 7) AS endless
  FROM github_events a JOIN github_events b ON b.id <> a.id JOIN collection_items c ON c.repo_id <> b.repo_id`;

/** An open database with demo data, and users who can ask questions. */
export interface ExplorerWarehouse {
  readonly database: Database;
  readonly state: StateStore;
  readonly settings: Settings;
  /** Opens the playground on the same data. When the promise resolves, queries can run. */
  readonly openPlayground: () => Promise<Database>;
  /** Creates a user and returns its id. */
  createUser(login: string): Promise<number>;
  close(): Promise<void>;
}

export async function openExplorerWarehouse(environment: Readonly<Record<string, string>>): Promise<ExplorerWarehouse> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-explorer-'));
  const settings = readSettings({ DATA_DIR: folder, NOW, ...environment });
  await copyDemo(settings, { events: 1_000 });
  const warehouse = await openWarehouse(settings, { migrating: true });
  const { database, state } = warehouse;
  if (state === undefined) throw new Error('The database of this suite cannot store users.');
  const users = createUsers(database, state);
  return {
    database,
    state,
    settings,
    openPlayground: async () => untilReady(await warehouse.openPlayground()),
    createUser: async (login) => {
      const account = { provider: 'test', accountId: login, login, name: login, email: '', avatarUrl: '' };
      const now = new Date(NOW);
      return (await users.signIn({ ...account, profileAt: now }, now)).id;
    },
    close: async () => {
      await warehouse.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Resolves when a playground can run queries. Before queries can run, the embedded database must copy its tables, which can take long on a
 * busy machine.
 */
export async function untilReady(playground: Database): Promise<Database> {
  const query = playground.prepare('SELECT COUNT(*) AS repositories FROM github_repos');
  await eventually(() =>
    playground.query(query, [], { maxRows: 1, timeoutMs: 600_000 }).then(
      () => true,
      () => false,
    ),
  );
  return playground;
}

import { pino } from 'pino';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { requireStore } from '../../../server/databases/warehouse.js';
import { startService } from '../../../server/service.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { TIMEOUTS, type Timeouts } from '../../../server/settings/timeouts.js';
import type { Tables } from '../../../warehouse/store/store.js';
import type { Content } from './definitions.js';

/** A request from the test to a service. */
export type ServedRequest =
  | { readonly kind: 'clock'; readonly offsetMs: number }
  /** Replaces the rows of these parts of the content. With `fails`, the transaction is rolled back. */
  | { readonly kind: 'commit'; readonly change: Partial<Content>; readonly fails: boolean }
  | { readonly kind: 'state' };

/** The content and the versions of its tables, read in one transaction. */
export interface State {
  readonly content: Content;
  readonly versions: Readonly<Record<string, string>>;
}

/** A service that commits changes on request. */
export interface Served {
  readonly url: string;
  /** Resolves to null if the service ended before its reply. */
  ask(request: ServedRequest): Promise<State | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export type Start = (settings: Readonly<Record<string, string>>, offsetMs: number) => Promise<Served>;

/** Starts a service in this process. The offset of its clock is added to `now`, which returns milliseconds since 1970. */
export async function startServed(
  now: () => number,
  values: Readonly<Record<string, string>>,
  offsetMs: number,
  timeouts: Partial<Timeouts> = {},
): Promise<Served> {
  let [offset, isClosed] = [offsetMs, false];
  const systemClock = () => new Date(now() + offset);
  const settings = readSettings(values);
  const warehouse = await openWarehouse(settings, { migrating: true });
  const store = requireStore(warehouse);
  const limits = { ...TIMEOUTS, ...timeouts };
  const service = await startService(settings, warehouse, pino({ level: 'silent' }), limits, { systemClock });

  const answer = async (request: ServedRequest): Promise<State | null> => {
    if (request.kind === 'clock') {
      offset = request.offsetMs;
      return null;
    }
    if (request.kind === 'commit') await commit(request);
    return store.write(readState);
  };
  const commit = async ({ change, fails }: ServedRequest & { kind: 'commit' }) => {
    const write = store.write(async (tables) => {
      await apply(tables, change);
      if (fails) throw new Error(ROLLED_BACK);
    });
    await write.catch((error: Error) => {
      if (error.message !== ROLLED_BACK) throw error;
    });
  };
  return {
    url: service.url,
    ask: (request) =>
      answer(request).catch((error: unknown) => {
        if (isClosed) return null;
        throw error;
      }),
    kill: async () => {
      if (isClosed) return;
      isClosed = true;
      await service.close();
      await warehouse.close();
    },
  };
}

const ROLLED_BACK = 'rolled back';

async function apply(tables: Tables, { names = {}, items = {} }: Partial<Content>): Promise<void> {
  for (const [id, name] of Object.entries(names)) {
    await tables.run('DELETE FROM collections WHERE id = :p1', [Number(id)]);
    await tables.insertRows('collections', [[Number(id), name, 1]]);
  }
  for (const [id, repositories] of Object.entries(items)) {
    await tables.run('DELETE FROM collection_items WHERE collection_id = :p1', [Number(id)]);
    const rows = repositories.map((repository) => [
      Number(id) * 1_000_000 + repository,
      Number(id),
      'a/b',
      repository,
      null,
      null,
    ]);
    if (rows.length > 0) await tables.insertRows('collection_items', rows);
  }
}

async function readState(tables: Tables): Promise<State> {
  const names = await tables.rows('SELECT id, name FROM collections ORDER BY id');
  const items: Record<number, number[]> = {};
  for (const [id, repository] of await tables.rows(
    'SELECT collection_id, repo_id FROM collection_items ORDER BY collection_id, repo_id',
  )) {
    items[Number(id)] = [...(items[Number(id)] ?? []), Number(repository)];
  }
  const versions = await tables.rows('SELECT table_name, commit_number, token FROM data_versions');
  return {
    content: { names: Object.fromEntries(names.map(([id, name]) => [id, String(name)])), items },
    versions: Object.fromEntries(versions.map(([table, number, token]) => [table, `${number}.${token}`])),
  };
}

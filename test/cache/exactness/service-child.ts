import { pino } from 'pino';
import { startService } from '../../../server/service.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { openWarehouse, requireStore } from '../../../server/warehouse.js';
import type { Tables } from '../../../warehouse/store/store.js';
import type { Content } from './definitions.js';
import { shiftClock } from './shifted-clock.js';

/** A request of the test to its child process. */
export type ChildRequest =
  | { readonly kind: 'clock'; readonly offsetMs: number }
  /** Replaces the rows that the content has. With `fails`, the transaction is rolled back. */
  | { readonly kind: 'commit'; readonly change: Partial<Content>; readonly fails: boolean }
  | { readonly kind: 'state' };

/** The content and its versions, read in one transaction. */
export interface State {
  readonly content: Content;
  readonly versions: Readonly<Record<string, string>>;
}

export type ChildReply = { readonly url: string } | { readonly id: number; readonly result: State | null };

const setClock = shiftClock();
const settings = readSettings(JSON.parse(process.argv[2] ?? '{}') as Record<string, string>);
setClock(Number(process.argv[3]));
const warehouse = await openWarehouse(settings, { migrating: true });
const store = requireStore(warehouse);
const service = await startService(settings, warehouse, pino({ level: 'silent' }));

async function handle(request: ChildRequest): Promise<State | null> {
  if (request.kind === 'clock') setClock(request.offsetMs);
  else if (request.kind === 'state') return store.write(readState);
  else {
    await store
      .write(async (tables) => {
        await apply(tables, request.change);
        if (request.fails) throw new Error('rolled back');
      })
      .catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
    return store.write(readState);
  }
  return null;
}

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

process.on('message', ({ id, request }: { readonly id: number; readonly request: ChildRequest }) => {
  handle(request).then(
    (result) => process.send?.({ id, result } satisfies ChildReply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: service.url } satisfies ChildReply);

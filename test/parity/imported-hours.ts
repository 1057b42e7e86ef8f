import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { storeCollections } from '../../warehouse/collections.js';
import { FIXTURES, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { foreignEvents } from './foreign-events.js';
import { writeEventFile } from './two-databases.js';

/**
 * Imports hours of every era, and events with unusual names and ids in the days before the 25th of a month `YYYY-MM`. Adds a collection of
 * all repositories after the existing ones.
 */
export async function importHours(warehouse: TestWarehouse, month: string): Promise<void> {
  const hours = (await readdir(FIXTURES)).sort().map((name) => join(FIXTURES, name));
  const { files } = await warehouse.import([
    ...hours,
    await writeEventFile(warehouse, 'foreign.json', foreignEvents(month)),
  ]);
  expect(files.filter(({ state }) => state !== 'imported')).to.deep.equal([]);
  const existing = (await warehouse.rows('SELECT id, name, public FROM collections ORDER BY id')).map(
    ([id, name, isPublic]) => ({ id: Number(id), name: String(name), public: isPublic === '1' }),
  );
  const items = await warehouse.rows('SELECT collection_id, repo_name, repo_id FROM collection_items ORDER BY id');
  const names = await warehouse.rows('SELECT repo_name, repo_id FROM github_repos');
  const itemOf = (name: unknown, id: unknown) => ({ repo_name: String(name), repo_id: Number(id) });
  await storeCollections(warehouse.store, [
    ...existing.map((collection) => ({
      ...collection,
      items: items.filter(([id]) => Number(id) === collection.id).map(([, name, id]) => itemOf(name, id)),
    })),
    { id: ALL_REPOSITORIES, name: 'All 📚', public: true, items: names.map(([name, id]) => itemOf(name, id)) },
  ]);
}

/** The id of the collection of all repositories. */
export const ALL_REPOSITORIES = 1_000;

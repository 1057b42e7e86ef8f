import { type Engine, type ParameterValue, rawFromValues } from '../engine/index.js';
import { openWarehouse } from '../server/databases/open-database.js';
import { requireStore, type Warehouse } from '../server/databases/warehouse.js';
import { openEngine } from '../server/open-engine.js';
import type { SettingValues } from '../server/settings/settings.js';
import type { Tables } from '../warehouse/store/store.js';
import { createDemo } from './demo-service.js';

/**
 * The approximate numbers of stars, issues and pull requests of the queried repositories. The numbers are similar in all worlds, so that
 * the answers have similar sizes.
 */
const REPOSITORY = { stars: 1500, issues: 300, pull_requests: 400 };
/**
 * A collection of these repositories. The collections of the demo are not used, because they contain the largest repositories, which grow
 * with the world.
 */
const COLLECTION = { id: 1_000_000, name: 'Repositories of one size', items: 15 };

/** A demo world, and requests whose answers do not depend on its size. */
export interface World {
  readonly warehouse: Warehouse;
  readonly engine: Engine;
  readonly repository: Readonly<Record<'owner' | 'repo', ParameterValue>>;
}

/** Fills the database of the settings with demo data of about `events` events and opens it. */
export async function createWorld(settings: SettingValues, events: number): Promise<World> {
  await createDemo(settings, events);
  const warehouse = await openWarehouse(settings, { migrating: true });
  await requireStore(warehouse).write(addCollection);
  return worldOf(settings, warehouse);
}

/** Opens a database with the tables of a world. */
export async function openWorld(settings: SettingValues): Promise<World> {
  return worldOf(settings, await openWarehouse(settings, { migrating: true }));
}

/** Returns the request of the first example of an endpoint. Parameters for a repository or a collection get the values of the world. */
export function requestOf({ engine, repository }: World, name: string) {
  const endpoint = engine.endpoint(name);
  const example = endpoint.definition.examples[0]?.params ?? {};
  const params = {
    ...example,
    ...('owner' in example && repository),
    ...('collection_id' in example && { collection_id: COLLECTION.id }),
  };
  return { endpoint, raw: rawFromValues(endpoint.parameters, params) };
}

/** Measures one request in milliseconds. Throws if the answer has no rows, because a benchmark of empty answers would be meaningless. */
export async function timeOf(world: World, name: string): Promise<number> {
  const { endpoint, raw } = requestOf(world, name);
  const started = performance.now();
  const { rows } = await world.engine.run(endpoint, raw);
  if (rows.length === 0) throw new Error(`${name} has no rows for ${JSON.stringify(raw)}`);
  return performance.now() - started;
}

async function worldOf(settings: SettingValues, warehouse: Warehouse): Promise<World> {
  const engine = await openEngine(settings, warehouse.database);
  const [[name] = []] = await requireStore(warehouse).write((tables) =>
    tables.rows(`SELECT repo_name FROM collection_items WHERE collection_id = ${COLLECTION.id} ORDER BY id LIMIT 1`),
  );
  const [owner = '', repo = ''] = String(name).split('/');
  return { warehouse, engine, repository: { owner, repo } };
}

async function addCollection(tables: Tables): Promise<void> {
  const { id, name, items } = COLLECTION;
  const distance = Object.entries(REPOSITORY).map(([column, rows]) => `ABS(t.${column} - ${rows})`);
  const repositories = await tables.rows(
    `SELECT r.repo_name, r.repo_id
     FROM mv_repo_totals t
     JOIN github_repos r ON r.repo_id = t.repo_id
     WHERE r.is_deleted = 0 ORDER BY ${distance.join(' + ')}, r.repo_id LIMIT ${items}`,
  );
  await tables.insertRows('collections', [[id, name, 1]]);
  await tables.insertRows(
    'collection_items',
    repositories.map(([repoName, repoId], index) => [id + index, id, String(repoName), Number(repoId), null, null]),
  );
}

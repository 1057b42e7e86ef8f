import { type Engine, type ParameterValue, rawFromValues } from '../engine/index.js';
import { openEngine } from '../server/open-engine.js';
import type { Settings } from '../server/settings/settings.js';
import { openWarehouse, requireStore, type Warehouse } from '../server/warehouse.js';
import { createDemo } from './demo-service.js';

/**
 * The number of events of the queried repository. It is about the same in all worlds, so that the answers have similar
 * sizes.
 */
const REPOSITORY_EVENTS = 5_000;

/** A demo world, and requests whose answers do not depend on its size. */
export interface World {
  readonly warehouse: Warehouse;
  readonly engine: Engine;
  readonly repository: Readonly<Record<'owner' | 'repo', ParameterValue>>;
}

/** Fills the database of the settings with demo data of about `events` events and opens it. */
export async function createWorld(settings: Settings, events: number): Promise<World> {
  await createDemo(settings, events);
  const warehouse = await openWarehouse(settings, { migrating: true });
  const engine = await openEngine(settings, warehouse.database);
  return { warehouse, engine, repository: await repositoryOfSize(warehouse) };
}

/**
 * Returns the request of the first example of an endpoint. If the example has a repository parameter, the repository of
 * the world replaces its value.
 */
export function requestOf({ engine, repository }: World, name: string) {
  const endpoint = engine.endpoint(name);
  const example = endpoint.definition.examples[0]?.params ?? {};
  const params = 'owner' in example ? { ...example, ...repository } : example;
  return { endpoint, raw: rawFromValues(endpoint.parameters, params) };
}

/**
 * Measures one request in milliseconds. Throws for an answer without rows, because a benchmark with empty answers would
 * measure nothing.
 */
export async function timeOf(world: World, name: string): Promise<number> {
  const { endpoint, raw } = requestOf(world, name);
  const started = performance.now();
  const { rows } = await world.engine.run(endpoint, raw);
  if (rows.length === 0) throw new Error(`${name} has no rows for ${JSON.stringify(raw)}`);
  return performance.now() - started;
}

async function repositoryOfSize(warehouse: Warehouse): Promise<World['repository']> {
  const [[name] = []] = await requireStore(warehouse).write((tables) =>
    tables.rows(
      `SELECT r.repo_name
       FROM (SELECT repo_id, COUNT(*) AS events FROM github_events GROUP BY repo_id) e
       JOIN github_repos r ON r.repo_id = e.repo_id
       WHERE r.is_deleted = 0 ORDER BY ABS(e.events - ${REPOSITORY_EVENTS}), r.repo_id LIMIT 1`,
    ),
  );
  const [owner = '', repo = ''] = String(name).split('/');
  return { owner, repo };
}

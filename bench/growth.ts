import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, type ParameterValue, rawFromValues } from '../engine/index.js';
import { openEngine } from '../server/open-engine.js';
import { openWarehouse, storeOf, type Warehouse } from '../server/warehouse.js';
import { demoSettings, makeDemoFolder } from './demo-service.js';
import { type Figure, inTurn, median } from './measure.js';

const SMALL = 1_000_000;
const LARGE = 10_000_000;
const ROUNDS = 40;
const BAR = 3;
/** Events of the repository that is asked about: as many in both worlds, so that the answers are alike in size. */
const REPOSITORY_EVENTS = 5_000;

/**
 * Each operation in a world of one and of ten million events, the larger with ten times as many repositories and people:
 * a cost that grows with the answer stays, one that grows with history shows.
 */
export async function benchGrowth(folder: string, say: (text: string) => void): Promise<Figure[]> {
  const small = await makeWorld(join(folder, 'small'), SMALL, say);
  const large = await makeWorld(join(folder, 'large'), LARGE, say);
  try {
    const figures: Figure[] = [];
    for (const { definition } of small.engine.endpoints) {
      const times = await inTurn(ROUNDS, {
        small: () => timeOf(small, definition.name),
        large: () => timeOf(large, definition.name),
      });
      const [before, after] = [median(times.small), median(times.large)];
      const detail = `p50 ${after.toFixed(2)} ms against ${before.toFixed(2)} ms`;
      figures.push({
        name: `growth: ${definition.name}`,
        value: after / before,
        unit: '×',
        bar: BAR,
        keeps: 'at most',
        detail,
      });
    }
    return figures;
  } finally {
    await Promise.all([small.warehouse.close(), large.warehouse.close()]);
  }
}

interface World {
  readonly warehouse: Warehouse;
  readonly engine: Engine;
  readonly repository: Readonly<Record<'owner' | 'repo', ParameterValue>>;
}

async function makeWorld(folder: string, events: number, say: (text: string) => void): Promise<World> {
  say(`making a demo of ${events} events`);
  await mkdir(folder);
  await makeDemoFolder(folder, events);
  const settings = demoSettings(folder);
  const warehouse = await openWarehouse(settings, { migrating: true });
  const engine = await openEngine(settings, warehouse.database);
  return { warehouse, engine, repository: await repositoryOfSize(warehouse) };
}

async function repositoryOfSize(warehouse: Warehouse): Promise<World['repository']> {
  const result = await storeOf(warehouse).workbench((bench) =>
    bench.runAndReadAll(
      `SELECT r.repo_name
       FROM (SELECT repo_id, COUNT(*) AS events FROM github_events GROUP BY repo_id) e
       JOIN github_repos r USING (repo_id)
       WHERE NOT r.is_deleted ORDER BY ABS(e.events - ${REPOSITORY_EVENTS}), repo_id LIMIT 1`,
    ),
  );
  const [owner = '', repo = ''] = String(result.getRows()[0]?.[0]).split('/');
  return { owner, repo };
}

async function timeOf({ engine, repository }: World, name: string): Promise<number> {
  const endpoint = engine.endpoint(name);
  const example = endpoint.definition.examples[0]?.params ?? {};
  const params = 'owner' in example ? { ...example, ...repository } : example;
  const started = performance.now();
  const { rows } = await engine.run(endpoint, rawFromValues(endpoint.parameters, params));
  if (rows.length === 0) throw new Error(`${name} has no rows for ${JSON.stringify(params)}`);
  return performance.now() - started;
}

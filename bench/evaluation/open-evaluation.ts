import type { Engine } from '../../engine/index.js';
import { Playground } from '../../explorer/playground/playground.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { openEngine } from '../../server/open-engine.js';
import type { SettingValues } from '../../server/settings/settings.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { createDemo, demoSettings, NOW } from '../demo-service.js';
import { createExecutor, type Execute } from './executor.js';

/** Everything that an evaluation needs: demo data, the definitions, and a function that runs proposals. */
export interface OpenEvaluation {
  readonly settings: SettingValues;
  readonly warehouse: Warehouse;
  readonly engine: Engine;
  readonly execute: Execute;
  readonly now: Date;
  close(): Promise<void>;
}

/**
 * The size of the demo data. The repositories and people are the same as after the first `npm start`, so that the questions can also be
 * asked there. The demo has fewer events, but for the same two years.
 */
export const EVALUATION_DEMO = { events: 75_000, repositories: 120, people: 20_000 } as const;

const PLAYGROUND_TIMEOUT_MS = 10_000;

/** Fills the empty folder with the demo data of the evaluation. */
export async function createEvaluationData(folder: string): Promise<void> {
  const { events, ...size } = EVALUATION_DEMO;
  await createDemo(demoSettings(folder), events, size);
}

/** Opens demo data that `createEvaluationData` has written to the folder. */
export async function openEvaluation(folder: string, playgroundMs = PLAYGROUND_TIMEOUT_MS): Promise<OpenEvaluation> {
  const settings = demoSettings(folder);
  const warehouse = await openWarehouse(settings, { migrating: false });
  try {
    const engine = await openEngine(settings, warehouse.database);
    const playground = new Playground(await warehouse.openPlayground(), TABLE_REFERENCE, playgroundMs);
    const execute = createExecutor(engine, playground);
    return { settings, warehouse, engine, execute, now: new Date(NOW), close: () => warehouse.close() };
  } catch (error) {
    await warehouse.close();
    throw error;
  }
}

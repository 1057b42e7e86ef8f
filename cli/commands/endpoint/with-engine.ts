import { didYouMean, type Endpoint, type Engine, formatProblems } from '../../../engine/index.js';
import { openEngine } from '../../../server/open-engine.js';
import { openForReading } from '../../../server/warehouse.js';
import type { CommandContext } from '../../terminal/command-context.js';

/** Runs `use` with an engine of all definitions, over the warehouse of the settings or over another database, which is only read. */
export async function withEngine<T>(
  { settings, warehouse, output }: CommandContext,
  databaseUrl: string | undefined,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined) return use(await openEngine(settings, (await warehouse()).database));
  const database = await openForReading({ ...settings, databaseUrl }, (notice) => output.warn(notice));
  try {
    return await use(await openEngine(settings, database));
  } finally {
    await database.close();
  }
}

/** The endpoint with this name. Throws an error with its problems or the nearest name. */
export function endpointNamed(engine: Engine, name: string): Endpoint {
  const broken = engine.broken().find((one) => one.name === name);
  if (broken !== undefined) {
    const problems = formatProblems([broken]).map((problem) => `  ${problem}`);
    throw new Error(`${name} is broken:\n${problems.join('\n')}`);
  }
  const endpoint = engine.endpoints.find(({ definition }) => definition.name === name);
  if (endpoint !== undefined) return endpoint;
  const names = engine.endpoints.map(({ definition }) => definition.name);
  throw new Error(`There is no endpoint named ${name}${didYouMean(name, names)}; \`endpoint list\` lists all names.`);
}

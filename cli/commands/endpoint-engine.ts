import { Option } from 'commander';
import { didYouMean } from '../../engine/definition/nearest.js';
import { type Endpoint, type Engine, formatProblems } from '../../engine/index.js';
import { openEngine } from '../../server/open-engine.js';
import { withoutPassword } from '../../server/settings/read-settings.js';
import { SETTINGS } from '../../server/settings/settings.js';
import { openForReading } from '../../server/warehouse.js';
import type { CommandContext } from '../command-context.js';

/** Gives `use` the engine over all definitions and the warehouse, as the service has it, or over another database as it is. */
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

/** An option that names a database as `DATABASE_URL` does. */
export function databaseOption(flag: '--database-url' | '--against', description: string): Option {
  return new Option(`${flag} <url>`, description).argParser((text: string) => {
    try {
      return SETTINGS.databaseUrl.read(text);
    } catch (error) {
      // An InvalidArgumentError would be shown with the whole text, and so with the password.
      const got = JSON.stringify(withoutPassword(text));
      throw new Error(`${flag}: expected ${(error as Error).message}, got ${got}`);
    }
  });
}

/** Problems as lines below what they are about. */
export function indented(problems: readonly string[]): string {
  return problems.map((problem) => `  ${problem}`).join('\n');
}

/** The endpoint of a name, or an error that names its problems or the nearest name. */
export function endpointNamed(engine: Pick<Engine, 'endpoints' | 'broken'>, name: string): Endpoint {
  const broken = engine.broken().find((one) => one.name === name);
  if (broken !== undefined) throw new Error(`${name} is broken:\n${indented(formatProblems([broken]))}`);
  const endpoint = engine.endpoints.find(({ definition }) => definition.name === name);
  if (endpoint !== undefined) return endpoint;
  const names = engine.endpoints.map(({ definition }) => definition.name);
  throw new Error(`There is no endpoint named ${name}${didYouMean(name, names)}; \`endpoint list\` names them all.`);
}

import { resolve } from 'node:path';
import type { TakenNames } from '../../../../engine/authoring/index.js';
import { createDefinitionLoader } from '../../../../server/settings/definitions.js';
import type { Settings } from '../../../../server/settings/settings.js';
import type { NewOptions } from './new-options.js';

/** The names and routes of all definitions, and the file of each name. */
export interface TakenDefinitions extends TakenNames {
  readonly fileOf: ReadonlyMap<string, string>;
}

/** Reads the names and routes of all definitions, except those in the file that will be overwritten. */
export async function readTakenNames(settings: Settings, replaced: string | undefined): Promise<TakenDefinitions> {
  const { endpoints, broken } = await createDefinitionLoader(settings).load();
  const all = [...endpoints.map(({ definition, file }) => ({ ...definition, file })), ...broken];
  const others = all.filter(({ file }) => resolve(file) !== replaced);
  const fileOf = new Map(others.flatMap(({ name, file }) => (name === undefined ? [] : [[name, file] as const])));
  return { names: new Set(fileOf.keys()), routes: others.flatMap(({ path }) => path ?? []), fileOf };
}

/** Throws an error if another definition already has the name or the route in the options. */
export function requireFree(
  { name, path }: Pick<NewOptions, 'name' | 'path'>,
  { fileOf, routes }: TakenDefinitions,
): void {
  const other = name === undefined ? undefined : fileOf.get(name);
  if (other !== undefined) throw new Error(`The name ${name} is already used by ${other}.`);
  const route = path === undefined ? undefined : routes.find((one) => shapeOf(one) === shapeOf(path));
  if (route !== undefined) throw new Error(`The path ${path} matches the same URLs as ${route}.`);
}

/** Returns a route without the names of its parameters. */
function shapeOf(route: string): string {
  return route.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
}

import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type BrokenEndpoint,
  type Endpoint,
  type Engine,
  formatProblems,
  type LoadedEndpoints,
  unknownEndpointError,
} from '../../../engine/index.js';
import { dialectOf } from '../../../server/dialect.js';
import { checkDialect, createDefinitionLoader, loadNamedFiles } from '../../../server/settings/definitions.js';
import type { CommandContext } from '../../terminal/command-context.js';

type Place = Pick<CommandContext, 'settings' | 'cwd'>;

/** The valid and the broken definitions for the arguments of a command, in the order of the arguments. */
export interface NamedDefinitions {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
}

/**
 * Finds definitions by name or by file. An argument is treated as a file if a file with this path exists, relative to the working
 * directory. The file may be outside of the definition folders. Throws an error for an unknown name or file.
 */
export async function findDefinitions(
  { settings, cwd }: Place,
  engine: Pick<Engine, 'endpoints' | 'broken'>,
  names: readonly string[],
): Promise<NamedDefinitions> {
  const known = { endpoints: engine.endpoints, broken: engine.broken() };
  const others = names.flatMap((name) => {
    const file = fileOf(cwd, name);
    return file === undefined || definitionIn(known, file) !== undefined ? [] : [file];
  });
  const loaded: NamedDefinitions =
    others.length === 0
      ? { endpoints: [], broken: [] }
      : checkDialect(dialectOf(settings), await loadNamedFiles(settings, others));
  const found = names.map((name) => {
    const file = fileOf(cwd, name);
    if (file === undefined) return definitionNamed(known, name);
    return definitionIn(known, file) ?? definitionIn(loaded, file) ?? rejectSharedFile(file);
  });
  const distinct = [...new Set(found)];
  return {
    endpoints: distinct.flatMap((one) => ('definition' in one ? [one] : [])),
    broken: distinct.flatMap((one) => ('definition' in one ? [] : [one])),
  };
}

/** Finds one valid definition by name or by file. If the definition is broken, throws an error with its problems. */
export async function findDefinition(
  place: Place,
  engine: Pick<Engine, 'endpoints' | 'broken'>,
  name: string,
): Promise<Endpoint> {
  const { endpoints, broken } = await findDefinitions(place, engine, [name]);
  const [endpoint] = endpoints;
  if (endpoint !== undefined) return endpoint;
  const problems = formatProblems(broken).map((problem) => `  ${problem}`);
  throw new Error(`${name} is broken:\n${problems.join('\n')}`);
}

/** Finds the files of definitions by name or by file, including files of shared parts and broken definitions. */
export async function findFiles({ settings, cwd }: Place, names: readonly string[]): Promise<string[]> {
  let loaded: LoadedEndpoints | undefined;
  const files: string[] = [];
  for (const name of names) {
    const file = fileOf(cwd, name);
    if (file === undefined) loaded ??= await createDefinitionLoader(settings).load();
    files.push(file ?? resolve(definitionNamed(loaded ?? NOTHING, name).file));
  }
  return [...new Set(files)];
}

const NOTHING: NamedDefinitions = { endpoints: [], broken: [] };

/** Returns the path of the file to which an argument refers; undefined if the argument is the name of an endpoint. */
function fileOf(cwd: string, name: string): string | undefined {
  const path = pathOf(cwd, name);
  if (path === undefined || existsSync(path)) return path;
  throw new Error(`${name} is not an existing file (from ${cwd}).`);
}

/** Like `fileOf`, but also for a file that does not exist. */
export function pathOf(cwd: string, name: string): string | undefined {
  const path = resolve(cwd, name);
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isFile() === true) return path;
  if (!/[/\\]|\.(ya?ml|json)$/i.test(name)) return undefined;
  if (entry === undefined) return path;
  throw new Error(`${name} is not a file (from ${cwd}).`);
}

/**
 * Returns the definition with this name. Broken definitions are searched first, because if several definitions have the same name, all of
 * them are broken.
 */
export function definitionNamed({ endpoints, broken }: NamedDefinitions, name: string): Endpoint | BrokenEndpoint {
  const found = broken.find((one) => one.name === name) ?? endpoints.find(({ definition }) => definition.name === name);
  if (found !== undefined) return found;
  throw new Error(`${unknownEndpointError(name, endpoints).message} \`endpoint list\` lists all names.`);
}

/** Returns the definition in this file. The path must be absolute. */
export function definitionIn(
  { endpoints, broken }: NamedDefinitions,
  file: string,
): Endpoint | BrokenEndpoint | undefined {
  const isHere = (one: { readonly file: string }) => resolve(one.file) === file;
  return broken.find(isHere) ?? endpoints.find(isHere);
}

export function rejectSharedFile(file: string): never {
  throw new Error(`${file} contains no definition: it is a file of shared parts.`);
}

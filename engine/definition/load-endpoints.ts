import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../endpoint.js';
import type { PrivateData } from '../sql/private-data.js';
import { createSqlReader, type SqlReader } from '../sql/sql-reader.js';
import { type DefinitionSource, parseDefinition } from './definition-source.js';
import { checkEndpoint } from './endpoint-check.js';
import type { Problem } from './problem.js';

/** Endpoints without a problem, in the order of their files, and every problem of the others. */
export interface LoadedEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly problems: readonly Problem[];
}

/**
 * Loads every `.yaml`, `.yml` and `.json` file under a directory; it skips names that begin with a dot. A definition that
 * reads private data is a problem.
 */
export async function loadEndpoints(directory: string, privateData?: PrivateData): Promise<LoadedEndpoints> {
  const problems: Problem[] = [];
  const files = await definitionFiles(directory, new Set(), problems);
  if (files.length === 0 && problems.length === 0) {
    problems.push(fileProblem(directory, 'no definition file (.yaml, .yml or .json) in this directory'));
  }
  const loaded = await loadEndpointFiles(files, privateData);
  return { endpoints: loaded.endpoints, problems: [...problems, ...loaded.problems] };
}

/** Loads these files; names and routes must differ among them. */
export async function loadEndpointFiles(files: readonly string[], privateData?: PrivateData): Promise<LoadedEndpoints> {
  const loaded: Loaded[] = [];
  const readSqlText = createSqlReader(privateData);
  for (let start = 0; start < files.length; start += READ_AHEAD) {
    const batch = files.slice(start, start + READ_AHEAD);
    loaded.push(...(await Promise.all(batch.map((file) => loadFile(file, readSqlText)))));
  }
  const repeats = findRepeats(loaded.flatMap(({ source }) => (source === undefined ? [] : [source])));
  const refused = new Set(repeats.map(({ file }) => file));
  return {
    endpoints: loaded.flatMap(({ endpoint }) =>
      endpoint === undefined || refused.has(endpoint.file) ? [] : [endpoint],
    ),
    problems: [...loaded.flatMap(({ problems }) => problems), ...repeats],
  };
}

/** A route without the names of its parameters: two endpoints with the same shape would answer the same requests. */
export function routeShape(path: string): string {
  return path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
}

/** Files that are read at the same time. */
const READ_AHEAD = 32;
const DEFINITION_FILE = /\.(ya?ml|json)$/i;

/** Follows links, each real directory once, so that a circle of links ends. */
async function definitionFiles(directory: string, visited: Set<string>, problems: Problem[]): Promise<string[]> {
  const files: string[] = [];
  try {
    const real = await realpath(directory);
    if (visited.has(real)) return [];
    visited.add(real);
    const names = (await readdir(directory)).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) {
      const path = join(directory, name);
      const entry = await stat(path).catch(() => undefined);
      if (entry?.isDirectory()) files.push(...(await definitionFiles(path, visited, problems)));
      else if (DEFINITION_FILE.test(name)) files.push(path);
    }
  } catch (error) {
    problems.push(fileProblem(directory, `the directory cannot be read: ${reasonOf(error)}`));
  }
  return files;
}

interface Loaded {
  readonly source?: DefinitionSource;
  readonly endpoint?: Endpoint;
  readonly problems: readonly Problem[];
}

async function loadFile(file: string, readSqlText: SqlReader): Promise<Loaded> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { problems: [fileProblem(file, `the file cannot be read: ${reasonOf(error)}`)] };
  }
  const source = parseDefinition(file, bytes);
  if (!('value' in source)) return { problems: [source] };
  const result = checkEndpoint(source, readSqlText);
  if ('definition' in result) return { source, endpoint: result, problems: [] };
  return { source, problems: [...result].sort((one, other) => one.line - other.line || one.column - other.column) };
}

function findRepeats(sources: readonly DefinitionSource[]): Problem[] {
  const names = new Map<unknown, string>();
  const routes = new Map<string, string>();
  return sources.flatMap((source) => {
    const { name, path } = source.value;
    const sameName = names.get(name);
    if (sameName !== undefined) return [source.problem(['name'], `the name "${name}" is taken by ${sameName}`)];
    if (typeof name === 'string') names.set(name, source.file);
    if (typeof path !== 'string') return [];
    const sameRoute = routes.get(routeShape(path));
    if (sameRoute !== undefined) return [source.problem(['path'], `${path} answers the same requests as ${sameRoute}`)];
    routes.set(routeShape(path), source.file);
    return [];
  });
}

function fileProblem(file: string, message: string): Problem {
  return { file, line: 1, column: 1, key: '', message };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

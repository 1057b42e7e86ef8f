import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PrivateData } from '../../sql/reading/private-data.js';
import { createSqlReader, type SqlReader } from '../../sql/reading/sql-reader.js';
import { endpointSchema } from '../definition/definition-shape.js';
import { type DefinitionSource, parseDefinition } from '../definition/definition-source.js';
import { expandDefinition } from '../definition/expand-definition.js';
import { deduplicateProblems, fileProblem, type Problem } from '../definition/problem.js';
import { findUnusedParts, isSharedFile, type SharedFile, SharedFiles } from '../definition/shared-file.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { checkEndpoint } from './endpoint-check.js';

/** The valid endpoints in the order of their files, and the broken ones with all their problems. */
export interface LoadedEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
  /** Problems of shared files. Some of them break no endpoint, for example a part that no definition uses. */
  readonly shared: readonly Problem[];
  /** The problems of `broken`, of `shared` and of directories, without repetitions. */
  readonly problems: readonly Problem[];
}

/**
 * Loads every `.yaml`, `.yml` and `.json` file under a directory, except names that begin with a dot. A definition that reads
 * private data is a problem. A part of a shared file in the directory that no definition uses is also a problem.
 */
export async function loadEndpoints(directory: string, privateData?: PrivateData): Promise<LoadedEndpoints> {
  const problems: Problem[] = [];
  const files = await definitionFiles(directory, new Set(), problems);
  if (files.every(isSharedFile) && problems.length === 0) {
    problems.push(fileProblem(directory, 'no definition file (.yaml, .yml or .json) in this directory'));
  }
  return loadFiles(files, { privateData, problems, isWhole: true });
}

/**
 * Loads these files. Names and routes must be unique. All definitions with the same name or route are broken, because the engine
 * cannot know which one is intended, and the answer of the other one would be wrong.
 */
export async function loadEndpointFiles(files: readonly string[], privateData?: PrivateData): Promise<LoadedEndpoints> {
  return loadFiles(files, { privateData, problems: [], isWhole: false });
}

/** Returns a route without the names of its parameters. Two routes with the same shape match the same URLs. */
export function routeShape(path: string): string {
  return path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
}

interface Loading {
  readonly privateData: PrivateData | undefined;
  /** Problems of directories. */
  readonly problems: readonly Problem[];
  /** Whether the files contain all definitions. Otherwise it is not known which shared parts are unused. */
  readonly isWhole: boolean;
}

async function loadFiles(
  files: readonly string[],
  { privateData, problems, isWhole }: Loading,
): Promise<LoadedEndpoints> {
  const loaded: Loaded[] = [];
  const sharedFiles = new SharedFiles();
  const readSqlText = createSqlReader(privateData);
  const definitions = files.filter((file) => !isSharedFile(file));
  for (let start = 0; start < definitions.length; start += READ_AHEAD) {
    const batch = definitions.slice(start, start + READ_AHEAD);
    loaded.push(...(await Promise.all(batch.map((file) => loadFile(file, sharedFiles, readSqlText)))));
  }
  const repeats = findRepeats(loaded.flatMap(({ source }) => (source === undefined ? [] : [source])));
  const problemsOf = ({ file, problems }: Loaded) => [
    ...problems,
    ...repeats.filter((repeat) => repeat.files.includes(file)).map(({ problem }) => problem),
  ];
  // Unused parts are reported only if every definition is valid: the parts that an invalid definition uses are not
  // known.
  const areUsesKnown = isWhole && loaded.length > 0 && loaded.every(({ problems }) => problems.length === 0);
  const shared = await Promise.all(files.filter(isSharedFile).map((file) => sharedFiles.read(file)));
  const sharedProblems = shared.flatMap((one) => [...one.problems, ...(areUsesKnown ? findUnusedParts(one) : [])]);
  return {
    endpoints: loaded.flatMap((one) =>
      one.endpoint === undefined || problemsOf(one).length > 0 ? [] : [one.endpoint],
    ),
    broken: loaded.flatMap((one) => {
      const problems = problemsOf(one);
      return problems.length === 0 ? [] : [{ ...one.identity, file: one.file, problems }];
    }),
    shared: sharedProblems,
    problems: deduplicateProblems([
      ...problems,
      ...sharedProblems,
      ...loaded.flatMap(({ problems }) => problems),
      ...repeats.map(({ problem }) => problem),
    ]),
  };
}

/** The number of files that are read concurrently. */
const READ_AHEAD = 32;
const DEFINITION_FILE = /\.(ya?ml|json)$/i;

/** Finds the files under a directory. It follows links and visits each real directory once, so that cycles of links end. */
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
    problems.push(fileProblem(directory, 'the directory cannot be read', error));
  }
  return files;
}

interface Loaded {
  readonly file: string;
  readonly identity: Identity;
  readonly source?: DefinitionSource;
  readonly endpoint?: Endpoint;
  readonly problems: readonly Problem[];
}

async function loadFile(file: string, sharedFiles: SharedFiles, readSqlText: SqlReader): Promise<Loaded> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const problems = [fileProblem(file, 'the file cannot be read', error)];
    return { file, identity: identityOf({}), problems };
  }
  const source = parseDefinition(file, bytes);
  if (!('value' in source)) return { file, identity: identityOf(readTopLines(bytes)), problems: [source] };
  const identity = identityOf(source.value);
  const result = checkEndpoint(expandDefinition(source, await readSharedFiles(source, sharedFiles)), readSqlText);
  if ('definition' in result) return { file, identity, source, endpoint: result, problems: [] };
  // Problems of shared files come last.
  const fileOrder = (problem: Problem) => (problem.file === file ? 0 : 1);
  const problems = [...result].sort(
    (one, other) => fileOrder(one) - fileOrder(other) || one.line - other.line || one.column - other.column,
  );
  return { file, identity, source, problems };
}

/** Reads the shared files that a definition lists, in its order. */
async function readSharedFiles(
  { file, value }: DefinitionSource,
  sharedFiles: SharedFiles,
): Promise<readonly SharedFile[]> {
  const { shared = [] } = value;
  if (!Array.isArray(shared)) return [NO_SHARED_FILE];
  const isName = (name: unknown): name is string => typeof name === 'string' && isSharedFile(name);
  const read = (name: unknown) => (isName(name) ? sharedFiles.read(join(dirname(file), name)) : NO_SHARED_FILE);
  return Promise.all(shared.map(read));
}

/**
 * Represents a shared file whose name is invalid. The shape check reports the name. References to parts are not
 * reported, because the intended file may contain them.
 */
const NO_SHARED_FILE: SharedFile = { file: '', source: undefined, problems: [], used: new Set() };

interface Repeat {
  readonly problem: Problem;
  /** The two files with the same name or route. */
  readonly files: readonly string[];
}

function findRepeats(sources: readonly DefinitionSource[]): Repeat[] {
  const names = new Map<unknown, string>();
  const routes = new Map<string, string>();
  return sources.flatMap((source) => {
    const { name, path } = source.value;
    const repeat = (key: 'name' | 'path', message: string, other: string): Repeat[] => [
      { problem: source.problem([key], message), files: [source.file, other] },
    ];
    const sameName = names.get(name);
    if (sameName !== undefined) return repeat('name', `the name "${name}" is already used by ${sameName}`, sameName);
    if (typeof name === 'string') names.set(name, source.file);
    if (typeof path !== 'string') return [];
    const sameRoute = routes.get(routeShape(path));
    if (sameRoute !== undefined) {
      return repeat('path', `${path} matches the same URLs as the path of ${sameRoute}`, sameRoute);
    }
    routes.set(routeShape(path), source.file);
    return [];
  });
}

type Identity = Pick<BrokenEndpoint, 'name' | 'path'>;

/** Returns the name and the path if they are valid. They identify a definition even if it has other problems. */
function identityOf({ name, path }: Readonly<Record<string, unknown>>): Identity {
  const ifValid = (key: 'name' | 'path', text: unknown) =>
    typeof text === 'string' && new RegExp(PATTERNS[key]?.pattern ?? '').test(text) ? text : undefined;
  return { name: ifValid('name', name), path: ifValid('path', path) };
}

const PATTERNS = endpointSchema.properties as Readonly<Record<string, { readonly pattern?: string }>>;

/** Reads name and path from the lines of a file with invalid syntax, so that requests for them do not get "not found". */
function readTopLines(bytes: Uint8Array): Readonly<Record<string, string>> {
  const lines = new TextDecoder().decode(bytes).matchAll(/^(?: {0,4}"(name|path)"|(name|path)):\s*["']?([^\s"']+)/gm);
  return Object.fromEntries([...lines].reverse().map(([, quoted, plain, text]) => [quoted ?? plain, text]));
}

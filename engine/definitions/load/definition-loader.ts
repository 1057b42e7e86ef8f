import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { createSqlReader, type SqlReader } from '../../sql/reading/sql-reader.js';
import { createRowFilters } from '../access/row-filters.js';
import type { DefinitionScope } from '../definition-scope.js';
import { endpointSchema } from '../definition-shape.js';
import { type DefinitionSource, parseDefinition } from '../definition-source.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { rollupTableOf, withRefreshTime } from '../endpoint/rollup.js';
import { expandDefinition } from '../expand-definition.js';
import { deduplicateProblems, fileProblem, type Problem } from '../problem.js';
import { findUnusedParts, isSharedFile, type SharedFile, SharedFiles } from '../shared-file.js';
import { type DefinitionFile, findDefinitionFiles, type StoredFiles } from './definition-files.js';
import { type CheckScope, checkEndpoint } from './endpoint-check.js';
import { findRepeats } from './find-repeats.js';
import { checkCycle } from './materialize-check.js';

/** The valid endpoints in the order of their files, and the broken ones with all their problems. */
export interface LoadedEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
  /** Problems of shared files. Some of them, for example an unused part, break no endpoint. */
  readonly shared: readonly Problem[];
  /** Problems of folders that cannot be read or contain no definition. */
  readonly folders: readonly Problem[];
  /** All problems of `broken`, `shared` and `folders`, without duplicates. */
  readonly problems: readonly Problem[];
}

/** The checked files of this process by path and scope, one cache per `PrivateData` object. */
const CHECKED = new WeakMap<object, LRUCache<string, LoadedFile>>();
const MAX_CHECKED_FILES = 2_000;
const NO_PRIVATE_DATA = {};

function checkedFilesFor(privateData: object = NO_PRIVATE_DATA): LRUCache<string, LoadedFile> {
  const known = CHECKED.get(privateData) ?? new LRUCache({ max: MAX_CHECKED_FILES });
  CHECKED.set(privateData, known);
  return known;
}

/**
 * Loads the definitions of folders. A load checks only the files that changed since they were last loaded in this process, and returns the
 * same endpoint objects for all other files.
 */
export class DefinitionLoader {
  readonly #folders: readonly string[];
  readonly #readSqlText: SqlReader;
  readonly #scope: DefinitionScope;
  readonly #checked: LRUCache<string, LoadedFile>;
  #files: ReadonlyMap<string, LoadedFile> = new Map();
  #sharedFiles: SharedFiles | undefined;
  /** The files of the last load, in their order. */
  #found: readonly DefinitionFile[] = [];
  #stored: StoredFiles | undefined;

  /** A definition that uses more than the scope allows is reported as a problem. */
  constructor(folders: readonly string[], scope: DefinitionScope = {}) {
    this.#folders = folders;
    this.#scope = scope;
    this.#readSqlText = createSqlReader(scope.privateData);
    this.#checked = checkedFilesFor(scope.privateData);
  }

  /** Loads all files of the folders. Reports parts of shared files that no definition uses. */
  async load(): Promise<LoadedEndpoints> {
    const problems: Problem[] = [];
    const files = this.#stored?.files ?? (await findDefinitionFiles(this.#folders, problems));
    this.#found = files;
    if (files.every(({ path }) => isSharedFile(path)) && problems.length === 0) {
      problems.push(fileProblem(this.#folders.join(), 'no definition file (.yaml, .yml or .json) in this directory'));
    }
    const known = this.#files;
    const loaded = await this.#loadFiles(files);
    // If a folder cannot be read, its checked files are kept, because they are probably unchanged when it can be read again.
    if (problems.length > 0) this.#files = new Map([...known, ...this.#files]);
    return this.#combine(files, loaded, problems);
  }

  /** Returns the files of the last load. */
  async filesOfLoad(): Promise<StoredFiles> {
    const own = [...this.#files].map(([path, { bytes }]) => [path, bytes] as const);
    const shared = ((await this.#sharedFiles?.all()) ?? []).map(([path, { bytes }]) => [path, bytes] as const);
    const isRead = (file: readonly [string, Uint8Array | undefined]): file is [string, Uint8Array] =>
      file[1] !== undefined;
    return { files: this.#found, contents: new Map([...own, ...shared].filter(isRead)) };
  }

  /** Makes later loads use these stored files instead of the files on the disk. With undefined, loads read from the disk again. */
  useFiles(stored: StoredFiles | undefined): void {
    this.#stored = stored;
  }

  /** Loads these files, which do not have to be in the folders. Unused shared parts are not reported. */
  async loadOnly(paths: readonly string[]): Promise<LoadedEndpoints> {
    const files = paths.map((path) => ({ path, folder: 0 }));
    return this.#combine(files, await this.#loadFiles(files), undefined);
  }

  async #loadFiles(files: readonly DefinitionFile[]): Promise<readonly PlacedFile[]> {
    const readStored = this.#stored && readerOf(this.#stored);
    const sharedFiles = new SharedFiles(readStored && (async (path) => readStored(path)));
    const rowFilters = createRowFilters(this.#scope);
    const reading = { ...this.#scope, rowFilters, sharedFiles, readSqlText: this.#readSqlText, readStored };
    const definitions = files.filter(({ path }) => !isSharedFile(path));
    const loaded: PlacedFile[] = [];
    for (let start = 0; start < definitions.length; start += READ_AHEAD) {
      const batch = definitions.slice(start, start + READ_AHEAD);
      const load = async ({ path, folder }: DefinitionFile) => {
        const known = new Set([this.#files.get(path), this.#checked.get(this.#keyOf(path))]);
        return { ...(await loadFile(path, reading, known)), folder };
      };
      loaded.push(...(await Promise.all(batch.map(load))));
    }
    this.#files = new Map(loaded.map((one) => [one.file, one]));
    this.#sharedFiles = sharedFiles;
    if (readStored === undefined) for (const one of loaded) this.#checked.set(this.#keyOf(one.file), one);
    return loaded;
  }

  #keyOf(path: string): string {
    const { prefixes, environment, claims, access, materializes, rowFilters = [] } = this.#scope;
    return JSON.stringify([path, prefixes, environment, claims, access, materializes, [...rowFilters]]);
  }

  /** Combines loaded files. `folderProblems` is undefined if `files` does not contain all files of the folders. */
  async #combine(
    files: readonly DefinitionFile[],
    all: readonly PlacedFile[],
    folderProblems: readonly Problem[] | undefined,
  ): Promise<LoadedEndpoints> {
    const { loaded, problems: overrideProblems } = applyOverrides(all);
    const repeats = findRepeats(loaded.flatMap(({ source, folder }) => (source ? [{ source, folder }] : [])));
    const problemsOf = ({ file, problems, source, endpoint }: LoadedFile) => [
      ...problems,
      ...(source && endpoint ? checkCycle(source, endpoint.definition, loaded) : []),
      ...overrideProblems.filter((problem) => folderProblems !== undefined && problem.file === file),
      ...repeats.filter((repeat) => repeat.files.includes(file)).map(({ problem }) => problem),
    ];
    const own = new Map(loaded.map((one) => [one, problemsOf(one)]));
    if (this.#scope.materializes === true) addReaders(own);
    const broken = [...own].flatMap(([one, problems]) =>
      problems.length === 0 ? [] : [{ ...one.identity, file: one.file, problems }],
    );
    const wrong = new Set(broken.map(({ file }) => file));
    // Unused parts are reported only if every definition is valid, because it is unknown which parts an invalid
    // definition uses.
    const areUsesKnown = folderProblems !== undefined && all.length > 0 && wrong.size === 0;
    const shared = await this.#sharedProblems(files, areUsesKnown ? all : undefined);
    const folders = folderProblems ?? [];
    const valid = loaded.flatMap(({ endpoint, file }) => (endpoint === undefined || wrong.has(file) ? [] : [endpoint]));
    const rollups = loaded.flatMap(({ endpoint }) => endpoint?.rollup ?? []);
    return {
      endpoints: valid.map((endpoint) =>
        endpoint.rollup === undefined ? withRefreshTime(endpoint, rollups, this.#readSqlText) : endpoint,
      ),
      broken,
      shared,
      folders,
      problems: deduplicateProblems([...folders, ...shared, ...broken.flatMap(({ problems }) => problems)]),
    };
  }

  async #sharedProblems(
    files: readonly DefinitionFile[],
    users: readonly LoadedFile[] | undefined,
  ): Promise<readonly Problem[]> {
    const paths = files.map(({ path }) => path).filter(isSharedFile);
    const shared = await Promise.all(paths.map((path) => this.#sharedFiles?.read(path)));
    return shared.flatMap((one) => {
      if (one === undefined) return [];
      return [...one.problems, ...(users === undefined ? [] : findUnusedParts(one, usesOf(one, users)))];
    });
  }
}

/**
 * Adds a problem to definitions that read the table of a materialized definition with a problem: nothing refreshes the table, and its rows
 * can be those that a row filter now hides.
 */
function addReaders(problems: Map<LoadedFile, Problem[]>): void {
  const isBroken = (one: LoadedFile) => problems.get(one)?.length !== 0;
  const tableOf = ({ source, identity: { name } }: LoadedFile) =>
    name !== undefined && source?.value.materialize !== undefined ? [rollupTableOf(name)] : [];
  for (let found = -1; found !== 0; ) {
    const broken = new Set([...problems.keys()].filter(isBroken).flatMap(tableOf));
    const readers = [...problems.keys()].flatMap((one) => {
      const { endpoint, source } = one;
      const tables = [...(endpoint?.rollup?.query.tables ?? endpoint?.tables ?? [])];
      const table = tables.find((name) => broken.has(name));
      return table === undefined || source === undefined || isBroken(one) ? [] : [{ one, source, table }];
    });
    for (const { one, source, table } of readers)
      problems.set(one, [source.problem(['sql'], `the definition of the materialized table ${table} has a problem`)]);
    found = readers.length;
  }
}

function readerOf({ contents }: StoredFiles): (path: string) => Uint8Array {
  return (path) => {
    const bytes = contents.get(path);
    if (bytes === undefined) throw new Error('the file could not be read before');
    return bytes;
  };
}

/** The number of files that are read concurrently. */
const READ_AHEAD = 32;

interface PlacedFile extends LoadedFile {
  readonly folder: number;
}

/** Removes the definitions that a definition of a later folder overrides. Reports an override that overrides nothing. */
function applyOverrides(all: readonly PlacedFile[]): {
  readonly loaded: readonly PlacedFile[];
  readonly problems: readonly Problem[];
} {
  const overriding = all.filter(({ overrides }) => overrides);
  const isOverridden = ({ identity, folder }: PlacedFile) =>
    identity.name !== undefined && overriding.some((one) => one.identity.name === identity.name && one.folder > folder);
  const problems = overriding.flatMap(({ identity, folder, source }) => {
    const hasTarget = all.some((one) => one.identity.name === identity.name && one.folder < folder);
    if (hasTarget || source === undefined || identity.name === undefined) return [];
    const message = `no earlier folder has a definition named "${identity.name}": remove "overrides"`;
    return [source.problem(['overrides'], message, { at: 'key' })];
  });
  return { loaded: all.filter((one) => !isOverridden(one)), problems };
}

/** Returns the used parts of a shared file. An unchanged file has the same `source` object in each load, so files are compared by it. */
function usesOf({ source }: SharedFile, users: readonly LoadedFile[]): ReadonlySet<string> {
  const listed = users.flatMap(({ shared }) => shared.filter((one) => one.source === source));
  return new Set(listed.flatMap(({ used }) => [...used]));
}

/** A definition file that was read and checked independently of all other definitions. */
interface LoadedFile {
  readonly file: string;
  /** The hash of the bytes; undefined if the file cannot be read. */
  readonly hash: string | undefined;
  readonly bytes: Uint8Array | undefined;
  /** Identifies the state of the file; undefined if it changed so recently that another change could have the same time stamp. */
  readonly state: string | undefined;
  /** The shared files that the definition lists, at the time of the check, with the parts that it uses. */
  readonly shared: readonly SharedFile[];
  readonly identity: Pick<BrokenEndpoint, 'name' | 'path' | 'access'>;
  /** Whether the definition replaces one of an earlier folder. */
  readonly overrides: boolean;
  /** The parsed file; undefined if it is not a mapping in YAML or JSON. */
  readonly source: DefinitionSource | undefined;
  /** The valid endpoint; undefined if the definition has a problem. */
  readonly endpoint: Endpoint | undefined;
  readonly problems: readonly Problem[];
}

interface FileReading extends CheckScope {
  readonly sharedFiles: SharedFiles;
  /** Returns the bytes of a file that is not read from the disk. Throws if it is unknown. */
  readonly readStored: ((file: string) => Uint8Array) | undefined;
}

/** Reads and checks a file. Returns one of the known results if neither the file nor a shared file that it lists has changed. */
async function loadFile(
  file: string,
  reading: FileReading,
  all: Iterable<LoadedFile | undefined>,
): Promise<LoadedFile> {
  let [bytes, state]: [Uint8Array, string | undefined] = [NO_BYTES, undefined];
  const known: LoadedFile[] = [];
  for (const one of all)
    if (one !== undefined && (await areUnchanged(one.shared, reading.sharedFiles))) known.push(one);
  try {
    if (reading.readStored !== undefined) bytes = reading.readStored(file);
    else {
      const stats = await stat(file, { bigint: true });
      // Only regular files are read, because reading a pipe or a device may never end.
      if (!stats.isFile()) return { ...UNREADABLE, file, problems: [fileProblem(file, 'this is not a regular file')] };
      state = stateOf(stats);
      const same = known.find((one) => state !== undefined && one.state === state);
      if (same !== undefined) return same;
      bytes = await readFile(file);
    }
  } catch (error) {
    const problems = [fileProblem(file, 'the file cannot be read', error)];
    return { ...UNREADABLE, file, problems };
  }
  const ownHash = hash('sha256', bytes, 'base64url');
  const same = known.find((one) => one.hash === ownHash);
  if (same !== undefined) return { ...same, state };
  try {
    return { ...(await checkFile(file, bytes, reading)), file, hash: ownHash, bytes, state };
  } catch (error) {
    // An error in one file must not prevent other files from being loaded.
    return { ...UNREADABLE, file, problems: [fileProblem(file, 'the file cannot be checked', error)] };
  }
}

const NO_BYTES = new Uint8Array();

/** Two changes of a file within this time can have the same time stamp. */
const CLOCK_TICK_NS = 2_000_000_000n;

function stateOf({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string | undefined {
  const isRecent = BigInt(Date.now()) * 1_000_000n - ctimeNs < CLOCK_TICK_NS;
  return isRecent ? undefined : `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
}

const UNREADABLE = {
  hash: undefined,
  bytes: undefined,
  state: undefined,
  shared: [],
  identity: { name: undefined, path: undefined },
  overrides: false,
  source: undefined,
  endpoint: undefined,
};

async function areUnchanged(shared: readonly SharedFile[], sharedFiles: SharedFiles): Promise<boolean> {
  const read = await Promise.all(shared.map(({ file }) => (file === '' ? NO_SHARED_FILE : sharedFiles.read(file))));
  return read.every(({ hash: newHash, source }, index) => {
    const known = shared[index] ?? NO_SHARED_FILE;
    return newHash === known.hash && source === known.source;
  });
}

async function checkFile(
  file: string,
  bytes: Uint8Array,
  { sharedFiles, ...scope }: FileReading,
): Promise<Omit<LoadedFile, 'file' | 'hash' | 'bytes' | 'state'>> {
  const source = parseDefinition(file, bytes);
  if (!('value' in source)) {
    const top = readTopLines(bytes);
    const overrides = top.overrides === 'true';
    // Access that cannot be read is access for no caller, so that an earlier public version does not answer.
    const access = top.access === undefined ? undefined : [top.access].filter((entry) => isValid('access', entry));
    return { ...UNREADABLE, identity: { ...identityOf(top), access }, overrides, problems: [source] };
  }
  const { access = scope.access ?? ['public'] } = source.value;
  const identity = { ...identityOf(source.value), access: [access].flat().map(String) };
  const overrides = source.value.overrides === true;
  const shared = await readSharedFiles(source, sharedFiles);
  const loaded = { identity, overrides, source, shared };
  const result = checkEndpoint(expandDefinition(source, shared), scope);
  if ('definition' in result) return { ...loaded, endpoint: result, problems: [] };
  // Problems of shared files are sorted after those of the definition file.
  const fileOrder = (problem: Problem) => (problem.file === file ? 0 : 1);
  const problems = [...result].sort(
    (one, other) => fileOrder(one) - fileOrder(other) || one.line - other.line || one.column - other.column,
  );
  return { ...loaded, endpoint: undefined, problems };
}

/** Reads the shared files that a definition lists, in that order. Each result has a separate set of used parts. */
async function readSharedFiles(
  { file, value }: DefinitionSource,
  sharedFiles: SharedFiles,
): Promise<readonly SharedFile[]> {
  const { shared = [] } = value;
  if (!Array.isArray(shared)) return [NO_SHARED_FILE];
  const isName = (name: unknown): name is string => typeof name === 'string' && isSharedFile(name);
  const read = async (name: unknown) => {
    if (!isName(name)) return NO_SHARED_FILE;
    return { ...(await sharedFiles.read(join(dirname(file), name))), used: new Set<string>() };
  };
  return Promise.all(shared.map(read));
}

/**
 * A placeholder for a shared file with an invalid name, which the shape check reports. References to unknown parts are
 * then not reported, because the intended file may contain them.
 */
const NO_SHARED_FILE: SharedFile = {
  ...{ file: '', hash: undefined, bytes: undefined, source: undefined },
  problems: [],
  used: new Set(),
};

/** Returns the name and the path if they are valid. Name and path identify a definition even if it has other problems. */
function identityOf({ name, path }: Readonly<Record<string, unknown>>): Pick<BrokenEndpoint, 'name' | 'path'> {
  const ifValid = (key: 'name' | 'path', text: unknown) =>
    typeof text === 'string' && isValid(key, text) ? text : undefined;
  return { name: ifValid('name', name), path: ifValid('path', path) };
}

function isValid(key: 'name' | 'path' | 'access', text: string): boolean {
  return new RegExp(PATTERNS[key]?.pattern ?? '').test(text);
}

const PATTERNS = endpointSchema.properties as Readonly<Record<string, { readonly pattern?: string }>>;

/** Reads the identity from the lines of a file with invalid syntax, so that requests for it do not get "not found". */
function readTopLines(bytes: Uint8Array): Readonly<Record<string, string>> {
  const text = new TextDecoder().decode(bytes);
  const lines = text.matchAll(
    /^(?: {0,4}"(name|path|overrides|access)"|(name|path|overrides|access)):\s*["']?([^\s"',]+)/gm,
  );
  return Object.fromEntries([...lines].reverse().map(([, quoted, plain, value]) => [quoted ?? plain, value]));
}

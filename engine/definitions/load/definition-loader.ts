import { LRUCache } from 'lru-cache';
import type { PrivateData } from '../../sql/reading/private-data.js';
import { createSqlReader, type SqlReader } from '../../sql/reading/sql-reader.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { deduplicateProblems, fileProblem, type Problem } from '../problem.js';
import { findUnusedParts, isSharedFile, type SharedFile, SharedFiles } from '../shared-file.js';
import { type DefinitionFile, findDefinitionFiles, type StoredFiles } from './definition-files.js';
import { findRepeats } from './find-repeats.js';
import { type LoadedFile, loadFile } from './load-file.js';

/** The valid endpoints in the order of their files, and the broken ones with all their problems. */
export interface LoadedEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
  /** Problems of shared files. Some of them break no endpoint, for example a part that no definition uses. */
  readonly shared: readonly Problem[];
  /** Problems of folders that cannot be read or contain no definition. */
  readonly folders: readonly Problem[];
  /** The problems of `broken`, of `shared` and of `folders`, without repetitions. */
  readonly problems: readonly Problem[];
}

/** What a load has read and checked. The next load uses it for files that have not changed. */
interface CheckedFiles {
  readonly files: ReadonlyMap<string, LoadedFile>;
  readonly sharedFiles: SharedFiles | undefined;
}

/** The files that the last loaders have checked, by their folders, for each kind of private data. */
const CHECKED = new WeakMap<object, LRUCache<string, CheckedFiles>>();
const MAX_CHECKED_FOLDERS = 4;
const NO_PRIVATE_DATA = {};

function checkedFilesFor(privateData: object = NO_PRIVATE_DATA): LRUCache<string, CheckedFiles> {
  const known = CHECKED.get(privateData) ?? new LRUCache({ max: MAX_CHECKED_FOLDERS });
  CHECKED.set(privateData, known);
  return known;
}

/**
 * Loads the definitions of folders. Each later load checks only the files that changed since the previous one, and returns the
 * same endpoints for the others. The previous load can be one of another loader of this process.
 */
export class DefinitionLoader {
  readonly #folders: readonly string[];
  readonly #readSqlText: SqlReader;
  readonly #checked: LRUCache<string, CheckedFiles>;
  #files: CheckedFiles['files'];
  #sharedFiles: CheckedFiles['sharedFiles'];
  /** The files of the last load, in their order. */
  #found: readonly DefinitionFile[] = [];
  #stored: StoredFiles | undefined;

  /** A definition that reads private data is a problem. */
  constructor(folders: readonly string[], privateData?: PrivateData) {
    this.#folders = folders;
    this.#readSqlText = createSqlReader(privateData);
    this.#checked = checkedFilesFor(privateData);
    const { files, sharedFiles } = this.#checked.get(this.#key) ?? { files: new Map(), sharedFiles: undefined };
    this.#files = files;
    this.#sharedFiles = sharedFiles;
  }

  /** Loads all files of the folders. A part of a shared file that no definition uses is a problem. */
  async load(): Promise<LoadedEndpoints> {
    const problems: Problem[] = [];
    const files = this.#stored?.files ?? (await findDefinitionFiles(this.#folders, problems));
    this.#found = files;
    if (files.every(({ path }) => isSharedFile(path)) && problems.length === 0) {
      problems.push(fileProblem(this.#folders.join(), 'no definition file (.yaml, .yml or .json) in this directory'));
    }
    const known = this.#files;
    const loaded = await this.#loadFiles(files);
    // Files of a folder that cannot be read now are probably the same when it can be read again.
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

  /** Lets later loads use these files instead of those on the disk. Undefined: those on the disk. */
  useFiles(stored: StoredFiles | undefined): void {
    this.#stored = stored;
  }

  /** Loads these files, which need not be in the folders. Whether shared parts are unused is not known. */
  async loadOnly(paths: readonly string[]): Promise<LoadedEndpoints> {
    const files = paths.map((path) => ({ path, folder: 0 }));
    return this.#combine(files, await this.#loadFiles(files), undefined);
  }

  async #loadFiles(files: readonly DefinitionFile[]): Promise<readonly PlacedFile[]> {
    const readStored = this.#stored && readerOf(this.#stored);
    const sharedFiles = new SharedFiles(this.#sharedFiles, readStored && (async (path) => readStored(path)));
    const reading = { sharedFiles, readSqlText: this.#readSqlText, readStored };
    const definitions = files.filter(({ path }) => !isSharedFile(path));
    const loaded: PlacedFile[] = [];
    for (let start = 0; start < definitions.length; start += READ_AHEAD) {
      const batch = definitions.slice(start, start + READ_AHEAD);
      const load = async ({ path, folder }: DefinitionFile) => {
        return { ...(await loadFile(path, reading, this.#files.get(path))), folder };
      };
      loaded.push(...(await Promise.all(batch.map(load))));
    }
    this.#files = new Map(loaded.map((one) => [one.file, one]));
    this.#sharedFiles = sharedFiles;
    if (readStored === undefined) this.#checked.set(this.#key, { files: this.#files, sharedFiles });
    return loaded;
  }

  get #key(): string {
    return JSON.stringify(this.#folders);
  }

  /** `folderProblems` is undefined if the files are not all files of the folders. */
  async #combine(
    files: readonly DefinitionFile[],
    all: readonly PlacedFile[],
    folderProblems: readonly Problem[] | undefined,
  ): Promise<LoadedEndpoints> {
    const { loaded, problems: overrideProblems } = applyOverrides(all);
    const repeats = findRepeats(loaded.flatMap(({ source, folder }) => (source ? [{ source, folder }] : [])));
    const problemsOf = ({ file, problems }: LoadedFile) => [
      ...problems,
      ...overrideProblems.filter((problem) => folderProblems !== undefined && problem.file === file),
      ...repeats.filter((repeat) => repeat.files.includes(file)).map(({ problem }) => problem),
    ];
    const broken = loaded.flatMap((one) => {
      const problems = problemsOf(one);
      return problems.length === 0 ? [] : [{ ...one.identity, file: one.file, problems }];
    });
    const wrong = new Set(broken.map(({ file }) => file));
    // Unused parts are reported only if every definition is valid: the parts that an invalid definition uses are not
    // known.
    const areUsesKnown = folderProblems !== undefined && all.length > 0 && wrong.size === 0;
    const shared = await this.#sharedProblems(files, areUsesKnown ? all : undefined);
    const folders = folderProblems ?? [];
    return {
      endpoints: loaded.flatMap(({ endpoint, file }) => (endpoint === undefined || wrong.has(file) ? [] : [endpoint])),
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

/** Removes the definitions that a definition of a later folder overrides. An override without such a definition is a problem. */
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

/** Returns the parts of a shared file that definitions use. A file that has not changed has the same source in each load. */
function usesOf({ source }: SharedFile, users: readonly LoadedFile[]): ReadonlySet<string> {
  const listed = users.flatMap(({ shared }) => shared.filter((one) => one.source === source));
  return new Set(listed.flatMap(({ used }) => [...used]));
}

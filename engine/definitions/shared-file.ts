import { hash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { checkShape } from './definition-shape.js';
import { type DefinitionPath, type DefinitionSource, parseDefinition } from './definition-source.js';
import { fileProblem, type Problem } from './problem.js';

/** The kinds of parts that definitions can share; they are the keys of a shared file. */
export const SHARED_KINDS = ['params', 'columns', 'notices', 'views'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

/** A file of named parts that definitions use. */
export interface SharedFile {
  readonly file: string;
  /** The hash of the bytes; undefined if the file cannot be read. */
  readonly hash: string | undefined;
  readonly bytes: Uint8Array | undefined;
  /** The parsed file; undefined if the file cannot be read or is not a mapping. */
  readonly source: DefinitionSource | undefined;
  /** All problems of the file, including those of unused parts. */
  readonly problems: readonly Problem[];
  /** The parts that the definition uses, for example `params.oven`. Each definition has its own set. */
  readonly used: Set<string>;
}

/** Whether a file contains shared parts instead of a definition, according to its name. */
export function isSharedFile(file: string): boolean {
  return /\.shared\.(ya?ml|json)$/i.test(file);
}

/** The shared files of this process by path. */
const PARSED = new LRUCache<string, Promise<SharedFile>>({ max: 200 });

/** The shared files of one load of definitions. Each file is read once. */
export class SharedFiles {
  readonly #files = new Map<string, Promise<SharedFile>>();
  /** The shared files by the paths with which they were requested. */
  readonly #byPath = new Map<string, Promise<SharedFile>>();
  readonly #readBytes: (file: string) => Promise<Uint8Array>;

  /** Files that have not changed since they were last read in this process are not parsed again. `readBytes` rejects if a file cannot be read. */
  constructor(readBytes: (file: string) => Promise<Uint8Array> = (file) => readFile(file)) {
    this.#readBytes = readBytes;
  }

  /** The files that were read, by the paths with which they were requested. */
  async all(): Promise<readonly (readonly [string, SharedFile])[]> {
    return Promise.all([...this.#byPath].map(async ([path, file]) => [path, await file] as const));
  }

  read(file: string): Promise<SharedFile> {
    const known = this.#byPath.get(file) ?? this.#read(file);
    this.#byPath.set(file, known);
    return known;
  }

  async #read(file: string): Promise<SharedFile> {
    const real = await realpath(file).catch(() => file);
    const known = this.#files.get(real) ?? readSharedFile(file, this.#readBytes, PARSED.get(real));
    this.#files.set(real, known);
    PARSED.set(real, known);
    return known;
  }
}

/** Returns the kind and the name of each part of a shared file. */
export function partsOf({ source }: SharedFile): (readonly [SharedKind, string])[] {
  return SHARED_KINDS.flatMap((kind) => Object.keys(partsOfKind(source, kind)).map((name) => [kind, name] as const));
}

/** Returns a part by its name, with its path in the file. */
export function partOf(
  { source }: SharedFile,
  kind: SharedKind,
  name: string,
): { readonly value: unknown; readonly path: DefinitionPath } | undefined {
  const parts = partsOfKind(source, kind);
  return Object.hasOwn(parts, name) ? { value: parts[name], path: [kind, name] } : undefined;
}

/** Returns a problem for each part that no definition uses. */
export function findUnusedParts(shared: SharedFile, used: ReadonlySet<string>): Problem[] {
  const { source } = shared;
  if (source === undefined) return [];
  return partsOf(shared)
    .filter((path) => !used.has(path.join('.')))
    .map((path) => source.problem(path, 'no definition uses this part', { at: 'key' }));
}

async function readSharedFile(
  file: string,
  readBytes: (file: string) => Promise<Uint8Array>,
  previous: Promise<SharedFile> | undefined,
): Promise<SharedFile> {
  const used = new Set<string>();
  let bytes: Uint8Array;
  try {
    bytes = await readBytes(file);
  } catch (error) {
    const problems = [fileProblem(file, 'the file cannot be read', error)];
    return { file, hash: undefined, bytes: undefined, source: undefined, problems, used };
  }
  const ownHash = hash('sha256', bytes, 'base64url');
  const known = await previous;
  if (known?.hash === ownHash) return known;
  const source = parseDefinition(file, bytes);
  if (!('value' in source)) return { file, hash: ownHash, bytes, source: undefined, problems: [source], used };
  return { file, hash: ownHash, bytes, source, problems: checkShape(source, 'shared.schema.json').problems, used };
}

function partsOfKind(source: DefinitionSource | undefined, kind: SharedKind): Readonly<Record<string, unknown>> {
  const parts = source?.value[kind];
  return typeof parts === 'object' && parts !== null && !Array.isArray(parts) ? (parts as Record<string, unknown>) : {};
}

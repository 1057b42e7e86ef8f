import { readFile, realpath } from 'node:fs/promises';
import { checkSharedShape } from './definition-shape.js';
import { type DefinitionPath, type DefinitionSource, parseDefinition } from './definition-source.js';
import { fileProblem, type Problem } from './problem.js';

/** What definitions can share, as the keys of a shared file. */
export const SHARED_KINDS = ['params', 'columns', 'notices', 'views'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

/** A file of named parts that definitions use. */
export interface SharedFile {
  readonly file: string;
  /** Undefined where the file cannot be read. */
  readonly source: DefinitionSource | undefined;
  /** What is wrong with the file, whether or not a definition uses the part. */
  readonly problems: readonly Problem[];
  /** The parts that a definition uses, as `params.oven`. */
  readonly used: Set<string>;
}

/** Whether the name of a file says that it holds shared parts and no definition. */
export function isSharedFile(file: string): boolean {
  return /\.shared\.(ya?ml|json)$/i.test(file);
}

/** The shared files of one loading of definitions; each is read once. */
export class SharedFiles {
  readonly #files = new Map<string, Promise<SharedFile>>();

  async read(file: string): Promise<SharedFile> {
    const real = await realpath(file).catch(() => file);
    const known = this.#files.get(real) ?? readSharedFile(file);
    this.#files.set(real, known);
    return known;
  }
}

/** The parts that a shared file holds, as kind and name. */
export function partsOf({ source }: SharedFile): (readonly [SharedKind, string])[] {
  return SHARED_KINDS.flatMap((kind) => Object.keys(partsOfKind(source, kind)).map((name) => [kind, name] as const));
}

/** The part of a name, and its place in the file. */
export function partOf(
  { source }: SharedFile,
  kind: SharedKind,
  name: string,
): { readonly value: unknown; readonly path: DefinitionPath } | undefined {
  const parts = partsOfKind(source, kind);
  return Object.hasOwn(parts, name) ? { value: parts[name], path: [kind, name] } : undefined;
}

/** A problem for each part that no definition uses. */
export function findUnusedParts(shared: SharedFile): Problem[] {
  const { source, used } = shared;
  if (source === undefined) return [];
  return partsOf(shared)
    .filter((path) => !used.has(path.join('.')))
    .map((path) => source.problem(path, 'no definition uses this', { at: 'key' }));
}

async function readSharedFile(file: string): Promise<SharedFile> {
  const used = new Set<string>();
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { file, source: undefined, problems: [fileProblem(file, 'the file cannot be read', error)], used };
  }
  const source = parseDefinition(file, bytes);
  if (!('value' in source)) return { file, source: undefined, problems: [source], used };
  return { file, source, problems: checkSharedShape(source), used };
}

function partsOfKind(source: DefinitionSource | undefined, kind: SharedKind): Readonly<Record<string, unknown>> {
  const parts = source?.value[kind];
  return typeof parts === 'object' && parts !== null && !Array.isArray(parts) ? (parts as Record<string, unknown>) : {};
}

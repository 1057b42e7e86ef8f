import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SqlReader } from '../../sql/reading/sql-reader.js';
import { endpointSchema } from '../definition-shape.js';
import { type DefinitionSource, parseDefinition } from '../definition-source.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { expandDefinition } from '../expand-definition.js';
import { fileProblem, type Problem } from '../problem.js';
import { isSharedFile, type SharedFile, type SharedFiles } from '../shared-file.js';
import { checkEndpoint } from './endpoint-check.js';

/** A definition file that was read and checked, without regard to the other definitions. */
export interface LoadedFile {
  readonly file: string;
  /** The hash of the bytes; undefined if the file cannot be read. */
  readonly hash: string | undefined;
  readonly bytes: Uint8Array | undefined;
  /** Identifies the state of the file; undefined if it changed so recently that a later change may have the same state. */
  readonly state: string | undefined;
  /** The shared files that the definition lists, as they were, and the parts that it uses of them. */
  readonly shared: readonly SharedFile[];
  readonly identity: Pick<BrokenEndpoint, 'name' | 'path'>;
  /** Whether the definition replaces one of an earlier folder. */
  readonly overrides: boolean;
  /** Undefined if the file is not a mapping in YAML or JSON. */
  readonly source: DefinitionSource | undefined;
  /** Undefined if the definition has a problem. */
  readonly endpoint: Endpoint | undefined;
  readonly problems: readonly Problem[];
}

export interface FileReading {
  readonly sharedFiles: SharedFiles;
  readonly readSqlText: SqlReader;
  /** Returns the bytes of a file that is not read from the disk. Throws if it is unknown. */
  readonly readStored: ((file: string) => Uint8Array) | undefined;
}

/** Reads and checks a file. Returns `known` if neither the file nor a shared file that it lists has changed. */
export async function loadFile(file: string, reading: FileReading, known?: LoadedFile): Promise<LoadedFile> {
  let [bytes, state]: [Uint8Array, string | undefined] = [NO_BYTES, undefined];
  const areSharedSame = known !== undefined && (await areUnchanged(known.shared, reading.sharedFiles));
  try {
    if (reading.readStored !== undefined) bytes = reading.readStored(file);
    else {
      const stats = await stat(file, { bigint: true });
      // A read of a pipe or a device may never end.
      if (!stats.isFile()) return { ...UNREADABLE, file, problems: [fileProblem(file, 'this is not a regular file')] };
      state = stateOf(stats);
      if (areSharedSame && state !== undefined && state === known.state) return known;
      bytes = await readFile(file);
    }
  } catch (error) {
    const problems = [fileProblem(file, 'the file cannot be read', error)];
    return { ...UNREADABLE, file, problems };
  }
  const ownHash = hash('sha256', bytes, 'base64url');
  if (areSharedSame && known.hash === ownHash) return { ...known, state };
  try {
    return { ...(await checkFile(file, bytes, reading)), file, hash: ownHash, bytes, state };
  } catch (error) {
    // One file must not prevent the others from being loaded.
    return { ...UNREADABLE, file, problems: [fileProblem(file, 'the file cannot be checked', error)] };
  }
}

const NO_BYTES = new Uint8Array();

/** Two changes within this time can have the same time stamp. */
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
  return read.every(({ hash: newHash }, index) => newHash === shared[index]?.hash);
}

async function checkFile(
  file: string,
  bytes: Uint8Array,
  { sharedFiles, readSqlText }: FileReading,
): Promise<Omit<LoadedFile, 'file' | 'hash' | 'bytes' | 'state'>> {
  const source = parseDefinition(file, bytes);
  if (!('value' in source)) {
    const top = readTopLines(bytes);
    const overrides = top.overrides === 'true';
    return { ...UNREADABLE, identity: identityOf(top), overrides, problems: [source] };
  }
  const identity = identityOf(source.value);
  const overrides = source.value.overrides === true;
  const shared = await readSharedFiles(source, sharedFiles);
  const loaded = { identity, overrides, source, shared };
  const result = checkEndpoint(expandDefinition(source, shared), readSqlText);
  if ('definition' in result) return { ...loaded, endpoint: result, problems: [] };
  // Problems of shared files come last.
  const fileOrder = (problem: Problem) => (problem.file === file ? 0 : 1);
  const problems = [...result].sort(
    (one, other) => fileOrder(one) - fileOrder(other) || one.line - other.line || one.column - other.column,
  );
  return { ...loaded, endpoint: undefined, problems };
}

/** Reads the shared files that a definition lists, in its order. Each gets its own set of used parts. */
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
 * Represents a shared file whose name is invalid. The shape check reports the name. References to parts are not
 * reported, because the intended file may contain them.
 */
const NO_SHARED_FILE: SharedFile = {
  ...{ file: '', hash: undefined, bytes: undefined, source: undefined },
  problems: [],
  used: new Set(),
};

/** Returns the name and the path if they are valid. They identify a definition even if it has other problems. */
function identityOf({ name, path }: Readonly<Record<string, unknown>>): LoadedFile['identity'] {
  const ifValid = (key: 'name' | 'path', text: unknown) =>
    typeof text === 'string' && new RegExp(PATTERNS[key]?.pattern ?? '').test(text) ? text : undefined;
  return { name: ifValid('name', name), path: ifValid('path', path) };
}

const PATTERNS = endpointSchema.properties as Readonly<Record<string, { readonly pattern?: string }>>;

/** Reads the identity from the lines of a file with invalid syntax, so that requests for it do not get "not found". */
function readTopLines(bytes: Uint8Array): Readonly<Record<string, string>> {
  const text = new TextDecoder().decode(bytes);
  const lines = text.matchAll(/^(?: {0,4}"(name|path|overrides)"|(name|path|overrides)):\s*["']?([^\s"',]+)/gm);
  return Object.fromEntries([...lines].reverse().map(([, quoted, plain, value]) => [quoted ?? plain, value]));
}

import { open, stat } from 'node:fs/promises';
import {
  checkShape,
  type DefinitionSource,
  fileProblem,
  formatProblem,
  type Problem,
  parseDocument,
} from '../../engine/index.js';
import type { StoredKey } from './api-key.js';

/** The maximum number of keys, as in `schemas/keys.schema.json`. */
export const MAX_KEYS = 10_000;
const MAX_BYTES = 10_000_000;

/** The content of the file of the keys. `version` is different after each change of the file. */
export interface KeyFileContent {
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** Reads the file of the keys, unless it still has the version `known`. Without a file, there are no keys. */
export async function readIfChanged(file: string, known?: string): Promise<KeyFileContent | undefined> {
  const found = await stat(file, { bigint: true }).catch(ignoreMissing);
  if (found === undefined) return known === NO_FILE.version ? undefined : NO_FILE;
  if (!found.isFile()) throw new Error(`The API keys cannot be read: ${file} is not a file.`);
  if (versionOf(found) === known) return undefined;
  const handle = await open(file, 'r');
  try {
    const opened = await handle.stat({ bigint: true });
    requireSize(file, Number(opened.size));
    return { version: versionOf(opened), bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

/** Throws an Error for a file of keys that is too large. */
export function requireSize(file: string, size: number): void {
  if (size > MAX_BYTES) throw new Error(`${file}: expected at most ${MAX_BYTES} bytes of API keys, got ${size}.`);
}

interface FileVersion {
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly size: bigint;
  readonly ino: bigint;
}

function versionOf({ mtimeNs, ctimeNs, size, ino }: FileVersion): string {
  return [mtimeNs, ctimeNs, size, ino].join(' ');
}

const NO_FILE: KeyFileContent = { version: 'no file', bytes: Buffer.from('{"keys":[]}') };

/** Returns all keys of the file, in the order of their creation. */
export async function readKeys(file: string): Promise<readonly StoredKey[]> {
  return parseKeys(file, ((await readIfChanged(file)) ?? NO_FILE).bytes);
}

/** Parses the file of the keys. Throws an Error that names the file and its problems. */
export function parseKeys(file: string, bytes: Uint8Array): readonly StoredKey[] {
  const value = parseJson(file, bytes);
  const problem = createLocator(file, bytes);
  const { problems } = checkShape({ file, value, problem }, 'keys.schema.json');
  if (problems.length > 0) throw wrongKeys(problems);
  const { keys } = value as unknown as { readonly keys: readonly StoredKey[] };
  const seen = new Set<string>();
  const repeated = keys.findIndex(({ id }) => seen.size === seen.add(id).size);
  if (repeated >= 0) throw wrongKeys([problem(['keys', repeated, 'id'], 'another key has the same id')]);
  return keys;
}

function parseJson(file: string, bytes: Uint8Array): DefinitionSource['value'] {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const document = parseDocument(file, bytes, MAX_BYTES);
    throw 'value' in document ? error : wrongKeys([document]);
  }
}

/**
 * Returns the function that finds the position of a problem. This takes forty times as long as parsing the file, so it is done only for the
 * problems that are shown.
 */
function createLocator(file: string, bytes: Uint8Array): DefinitionSource['problem'] {
  let document: ReturnType<typeof parseDocument> | undefined;
  let count = 0;
  return (path, message, facts) => {
    count += 1;
    if (count > MAX_PROBLEMS) return fileProblem(file, message);
    document ??= parseDocument(file, bytes, MAX_BYTES);
    return 'value' in document ? document.problem(path, message, facts) : document;
  };
}

function wrongKeys(problems: readonly Problem[]): Error {
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${formatProblem(problem)}`);
  return new Error(`Wrong API keys:\n${lines.join('\n')}`);
}

const MAX_PROBLEMS = 5;

/** Returns undefined for the error of a file that does not exist, and throws any other error. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredKey } from '../../accounts/keys/api-key.js';
import { definitionFolders } from '../../server/settings/definition-folders.js';
import { keyLocation } from '../../server/settings/key-location.js';
import { SETTINGS, type Settings } from '../../server/settings/settings.js';
import type { Candidate, ListNames } from './complete-words.js';

/**
 * Lists the names of endpoints, API keys, tables and settings. A shell waits for the names at each key press, so it neither opens a database nor
 * loads the engine.
 */
export function createListNames(settings: Settings): ListNames {
  return async (command, argument) => {
    const group = command.parent?.name();
    if (group === 'endpoint' && NAMES_OF_ENDPOINTS.has(argument.name())) {
      return readEndpoints(definitionFolders(settings));
    }
    if (group === 'keys' && argument.name() === 'key') return readKeyNames(keyLocation(settings).file);
    if (command.name() === 'config') return Object.values(SETTINGS).map(({ name, help }) => toCandidate(name, help));
    if (command.name() !== 'tables') return [];
    if (settings.api !== undefined) {
      return settings.api.tables.map(({ name, description }) => toCandidate(name, description));
    }
    const { TABLE_REFERENCE } = await import('../../warehouse/table-reference.js');
    return [...TABLE_REFERENCE].map(([name, { description }]) => toCandidate(name, description));
  };
}

/** Arguments that are names of existing endpoints. The new name in `endpoint rename` is not included. */
const NAMES_OF_ENDPOINTS: ReadonlySet<string> = new Set(['name', 'names', 'files', 'old']);

/** Finds the names in the text of the definition files, which is a hundred times faster than loading them. */
async function readEndpoints(folders: readonly string[]): Promise<readonly Candidate[]> {
  const files = (await Promise.all(folders.map(definitionFilesOf))).flat();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const found = texts.flatMap((text) => {
    const [, name] = NAME.exec(text) ?? [];
    const [, summary = ''] = SUMMARY.exec(text) ?? [];
    return name === undefined ? [] : [toCandidate(name, summary)];
  });
  return found.sort((a, b) => (a.value < b.value ? -1 : 1));
}

/** Reads the names of the keys that are not revoked. A damaged file has no names. */
async function readKeyNames(file: string): Promise<readonly Candidate[]> {
  try {
    const { keys } = JSON.parse(await readFile(file, 'utf8')) as { readonly keys: readonly StoredKey[] };
    return keys.flatMap(({ id, name, revokedAt }) => (revokedAt === undefined ? [toCandidate(name, id)] : []));
  } catch {
    return [];
  }
}

async function definitionFilesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => /(?<!\.shared)\.(ya?ml|json)$/.test(name)).map((name) => join(folder, name));
}

const NAME = /^(?:\s*")?name"?:\s*["']?([\w-]+)/m;
const SUMMARY = /^(?:\s*")?summary"?:\s*["']?(.*?)["']?,?$/m;

function toCandidate(value: string, description: string): Candidate {
  return { value, description: description.split('\n')[0] ?? '' };
}

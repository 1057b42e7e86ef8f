import type { StoredKey } from '../../../accounts/keys/api-key.js';
import { changeKeys, type KeyChange } from '../../../accounts/keys/change-keys.js';
import { removeUse } from '../../../accounts/keys/key-use.js';
import { didYouMean } from '../../../engine/index.js';
import { keyLocation } from '../../../server/settings/key-location.js';
import { makeFolder } from '../../../server/settings/make-folder.js';
import type { CommandContext } from '../../terminal/command-context.js';

/** Changes the keys in the file of the settings, and resolves to the result of the change. */
export async function changeStoredKeys<T>(
  { settings }: Pick<CommandContext, 'settings'>,
  now: Date,
  change: (keys: readonly StoredKey[]) => KeyChange<T>,
): Promise<T> {
  const { file, useFolder } = keyLocation(settings);
  if (settings.keysFile === undefined) await makeFolder(settings.dataDirectory);
  const { result, removed } = await changeKeys(file, now, change);
  for (const id of removed) await removeUse(useFolder, id);
  return result;
}

/** Changes one key, which must not be revoked, and resolves to the changed key. `word` is its name or id. */
export function changeOneKey(
  context: Pick<CommandContext, 'settings'>,
  word: string,
  now: Date,
  change: (key: StoredKey) => StoredKey,
): Promise<StoredKey> {
  return changeStoredKeys(context, now, (keys) => {
    const key = findKey(keys, word);
    const result = change(key);
    return { keys: keys.map((one) => (one === key ? result : one)), result };
  });
}

/** Finds a key that is not revoked by its name or id. Throws if there is no such key. */
export function findKey(keys: readonly StoredKey[], word: string): StoredKey {
  const found = keys.filter(({ id, name }) => id === word || name === word);
  const key = found.find(({ revokedAt }) => revokedAt === undefined);
  if (key !== undefined) return key;
  const revoked = found.at(-1);
  if (revoked !== undefined) throw new Error(`${describeKey(revoked)} was revoked at ${revoked.revokedAt}.`);
  const names = keys.flatMap(({ id, name, revokedAt }) => (revokedAt === undefined ? [name, id] : []));
  const hint = didYouMean(word, names);
  throw new Error(`There is no key with the name or id ${JSON.stringify(word)}${hint}; \`keys list\` shows all keys.`);
}

export function describeKey({ id, name }: Pick<StoredKey, 'id' | 'name'>): string {
  return `Key ${id} (${name})`;
}

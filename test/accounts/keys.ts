import { createSecret, hashOf, type StoredKey } from '../../accounts/keys/api-key.js';

export const CREATED = '2026-03-01T10:00:00.000Z';

/** Returns a key and its secret. */
export function keyOf(
  id: string,
  members: Partial<StoredKey> = {},
): { readonly key: StoredKey; readonly secret: string } {
  const secret = createSecret(id);
  const sha256 = hashOf(secret).toString('hex');
  const given = { id, name: `key ${id}`, scopes: ['*'], roles: [], claims: {}, createdAt: CREATED };
  return { key: { ...given, sha256, ...members }, secret };
}

export function fileOf(...keys: readonly StoredKey[]): string {
  return JSON.stringify({ keys });
}

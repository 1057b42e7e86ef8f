import { hash, randomBytes } from 'node:crypto';

/** An API key, without its secret. Times are ISO 8601 in UTC. */
export interface ApiKey {
  /** Eight hexadecimal digits in lower case. The secret contains the id. */
  readonly id: string;
  readonly name: string;
  /** The definitions that the key can read: names, `tag:` and a tag, or `*` for all. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, string | number | boolean>>;
  /** The limits of this key. Absent: the limits of the service. */
  readonly requestsPerMinute?: number;
  readonly requestsPerHour?: number;
  readonly createdAt: string;
  /** The key is valid before this time. Absent: the key does not expire. */
  readonly expiresAt?: string;
}

/** An API key in the file of the keys. */
export interface StoredKey extends ApiKey {
  /** The hash of the secret, in hexadecimal digits. */
  readonly sha256: string;
  /** The secret before the last rotation, which is valid before this time. */
  readonly previous?: { readonly sha256: string; readonly validUntil: string };
  readonly revokedAt?: string;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export function stateOf({ revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt === undefined || isBefore(now, expiresAt) ? 'active' : 'expired';
}

/** Whether a time is before a time in the file of the keys. */
export function isBefore(time: Date, text: string): boolean {
  return time.getTime() < Date.parse(text);
}

/** Returns an id that no other key has. */
export function createId(keys: readonly StoredKey[]): string {
  const id = randomBytes(4).toString('hex');
  return keys.some((key) => key.id === id) ? createId(keys) : id;
}

/** Returns a new secret of a key: 256 random bits, and a beginning by which secret scanners and the log recognize it. */
export function createSecret(id: string): string {
  return `rik_${id}_${randomBytes(32).toString('base64url')}`;
}

/** Returns the id of the key in a secret; undefined if the text does not have the form of a secret. */
export function idInSecret(text: string): string | undefined {
  return /^rik_([0-9a-f]{8})_[\w-]{43}$/.exec(text)?.[1];
}

/** Hashes a secret. Secrets are long and random, so a hash without a salt is sufficient. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

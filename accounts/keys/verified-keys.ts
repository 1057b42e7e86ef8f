import type { UserRoles } from '../user-roles.js';
import { RemovedUserError, type User, type Users } from '../users.js';
import { hashOf } from './api-key.js';
import type { FoundUserKey, UserKeys } from './user-keys.js';

/** The user of a key, with the roles of the user. */
export interface KeyUser extends User {
  readonly roles: readonly string[];
}

export interface VerifiedKeysOptions {
  readonly keys: UserKeys;
  readonly users: Users;
  readonly roles: Pick<UserRoles, 'rolesOf'>;
  /** Returns the real time. The setting `NOW` must not change it, because it decides whether a key has expired. */
  readonly clock: () => Date;
  /** Returns a time in milliseconds that never goes back. */
  readonly stopwatch: () => number;
  /** Called once, when the time of a use cannot be stored. */
  readonly onUseError: (error: unknown) => void;
}

/**
 * Finds the users of API keys in the database. A valid key is remembered for half a second, so a revocation, or a change of the user, takes
 * effect in every process within a second.
 */
export class VerifiedKeys {
  readonly #options: VerifiedKeysOptions;
  /** The users of valid keys, by the hash of the secret. */
  readonly #known = new Map<string, { readonly readAt: number; readonly user: KeyUser }>();
  /** The time of the last stored use, by the id of the key. */
  readonly #markedAt = new Map<string, number>();
  #hasUseError = false;

  constructor(options: VerifiedKeysOptions) {
    this.#options = options;
  }

  /** Returns the user of a secret that was valid within the last half second, without reading the database. */
  findKnown(secret: string): KeyUser | undefined {
    const known = this.#known.get(nameOf(secret));
    return known !== undefined && this.#options.stopwatch() - known.readAt < KNOWN_MS ? known.user : undefined;
  }

  /** Returns the user of a secret; undefined if the secret is wrong, the key has expired, or the user is disabled or removed. */
  async find(secret: string): Promise<KeyUser | undefined> {
    const { keys, users, roles, clock, stopwatch } = this.#options;
    const [readAt, now] = [stopwatch(), clock()];
    const key = await keys.find(secret, now);
    const found = key && (await users.findById(key.userId).catch(ignoreRemoved));
    if (key === undefined || found === undefined || found.isDisabled) return undefined;
    const user = { ...found, roles: await roles.rolesOf(found) };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(nameOf(secret), { readAt, user });
    void this.#markUsed(key, now);
    return user;
  }

  /** Stores the time of a use, at most once per minute for each key over all processes. Never rejects. */
  async #markUsed({ id, lastUsedAt }: FoundUserKey, now: Date): Promise<void> {
    const { keys, stopwatch, onUseError } = this.#options;
    const since = stopwatch() - (this.#markedAt.get(id) ?? Number.NEGATIVE_INFINITY);
    const isMarked = lastUsedAt !== null && now.getTime() - Date.parse(lastUsedAt) < MARK_MS;
    if (isMarked || since < MARK_MS) return;
    if (this.#markedAt.size >= MAX_KNOWN) this.#markedAt.clear();
    this.#markedAt.set(id, stopwatch());
    try {
      await keys.markUsed(id, now);
    } catch (error) {
      if (!this.#hasUseError) onUseError(error);
      this.#hasUseError = true;
    }
  }
}

const KNOWN_MS = 500;
const MARK_MS = 60_000;
/** The maximum number of remembered keys. When it is reached, all are forgotten. */
const MAX_KNOWN = 1_000;

/** A user can be removed while the key is read. */
function ignoreRemoved(error: unknown): undefined {
  if (!(error instanceof RemovedUserError)) throw error;
}

/** The secret itself is not kept in memory. */
function nameOf(secret: string): string {
  return hashOf(secret).toString('base64');
}

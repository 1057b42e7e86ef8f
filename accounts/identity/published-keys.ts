import { createRemoteJWKSet, customFetch, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

export interface PublishedKeysOptions {
  /** The URL of the published keys of the issuer (JWKS, RFC 7517). */
  readonly jwksUrl: string;
  /** The `fetch` for the keys, which must limit the size of responses. */
  readonly fetch: typeof fetch;
  /** A monotonic clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Returns a function that finds the key of a token among the published keys of its issuer. Keys are cached for ten minutes, or for an hour
 * while the issuer does not answer. Unknown keys cause at most one request per five seconds, for all tokens together. Throws the errors of
 * jose, and `UnusableKeysError`.
 */
export function createPublishedKeys({
  jwksUrl,
  fetch,
  now = () => performance.now(),
}: PublishedKeysOptions): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetch,
    // Disables the refetch rules of jose, because this function decides when to fetch. jose counts from the last success and uses the
    // system clock, which can change.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  /**
   * The start times of the last request and of the last successful request. The age of the keys is measured from the start of the request.
   */
  let [requestedAt, fetchedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let failure: { readonly at: number; readonly error: unknown } | undefined;
  let refetch: { readonly at: number; readonly done: Promise<void> } | undefined;

  /** Fetches the keys. If a request is already running, waits for this request instead of starting another. */
  const fetchKeys = async () => {
    if (!keys.reloading) requestedAt = now();
    const startedAt = requestedAt;
    try {
      await keys.reload();
      [fetchedAt, failure] = [startedAt, undefined];
    } catch (error) {
      failure = { at: now(), error };
      throw error;
    }
  };
  const requireFresh = async () => {
    if (now() - fetchedAt <= CACHE_MS) return;
    const hasJustFailed = failure !== undefined && now() - failure.at < RETRY_INTERVAL_MS;
    const attempt = hasJustFailed ? Promise.reject(failure?.error) : fetchKeys();
    await attempt.catch((error: unknown) => {
      if (now() - fetchedAt > MAX_STALE_MS) throw error;
    });
  };
  const refetchForUnknown = () => {
    if (refetch === undefined || now() - refetch.at >= RETRY_INTERVAL_MS) refetch = { at: now(), done: fetchKeys() };
    return refetch.done;
  };
  const findKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      if (error instanceof errors.JWKSNoMatchingKey && hasUsableKey(keys.jwks())) throw error;
      throw new UnusableKeysError('The issuer publishes keys that cannot be used.', { cause: error });
    }
  };
  return async (header, token) => {
    const arrivedAt = now();
    await requireFresh();
    try {
      return await findKey(header, token);
    } catch (error) {
      const isKeyMissing = error instanceof errors.JWKSNoMatchingKey || error instanceof UnusableKeysError;
      if (!isKeyMissing || fetchedAt > arrivedAt) throw error;
      await refetchForUnknown();
      return findKey(header, token);
    }
  };
}

/** Thrown if none of the published keys can verify a token: this is a fault of the issuer and not of the token. */
export class UnusableKeysError extends Error {
  override readonly name = 'UnusableKeysError';
}

/** Whether at least one key can verify signatures. */
function hasUsableKey(published: JSONWebKeySet | undefined): boolean {
  return published?.keys.some(({ kty, use = 'sig' }) => KEY_TYPES.includes(kty ?? '') && use === 'sig') ?? false;
}

const KEY_TYPES = ['RSA', 'EC', 'OKP'];

const TIMEOUT_MS = 3_000;
const CACHE_MS = 600_000;
const MAX_STALE_MS = 3_600_000;
const RETRY_INTERVAL_MS = 5_000;

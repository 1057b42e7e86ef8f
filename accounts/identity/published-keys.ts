import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

export interface PublishedKeys {
  /** Where an issuer publishes its keys (JWKS, RFC 7517). */
  readonly jwksUrl: string;
  /** Requests the keys; limits the size of answers. */
  readonly fetch: typeof fetch;
  /** The clock, in milliseconds that never go back. Default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Finds the key of a token among those that its issuer publishes. Keys are kept for ten minutes, or for an hour while the issuer
 * does not answer. A key that is not among them makes one request, for all tokens of five seconds together. Throws what jose
 * throws.
 */
export function publishedKeys({ jwksUrl, fetch, now = () => performance.now() }: PublishedKeys): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetch,
    // This function decides when to fetch: the library counts from the last success, and by the time of day.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  /** When the newest request began, and the newest one that succeeded: keys are as old as their request. */
  let [askedAt, fetchedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let failure: { readonly at: number; readonly error: unknown } | undefined;
  let refetch: { readonly at: number; readonly done: Promise<void> } | undefined;

  /** Joins the request that is under way, if there is one. */
  const fetchKeys = async () => {
    if (!keys.reloading) askedAt = now();
    const begunAt = askedAt;
    try {
      await keys.reload();
      [fetchedAt, failure] = [begunAt, undefined];
    } catch (error) {
      failure = { at: now(), error };
      throw error;
    }
  };
  const requireFresh = async () => {
    if (now() - fetchedAt <= KEPT_MS) return;
    const hasJustFailed = failure !== undefined && now() - failure.at < ASK_AGAIN_MS;
    const attempt = hasJustFailed ? Promise.reject(failure?.error) : fetchKeys();
    await attempt.catch((error: unknown) => {
      if (now() - fetchedAt > KEPT_WITHOUT_ANSWER_MS) throw error;
    });
  };
  const refetchForUnknown = () => {
    if (refetch === undefined || now() - refetch.at >= ASK_AGAIN_MS) refetch = { at: now(), done: fetchKeys() };
    return refetch.done;
  };
  return async (header, token) => {
    const arrivedAt = now();
    await requireFresh();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || fetchedAt > arrivedAt) throw error;
      await refetchForUnknown();
      return keys(header, token);
    }
  };
}

const TIMEOUT_MS = 3_000;
const KEPT_MS = 600_000;
const KEPT_WITHOUT_ANSWER_MS = 3_600_000;
const ASK_AGAIN_MS = 5_000;

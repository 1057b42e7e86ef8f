import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

export interface PublishedKeys {
  /** Where an issuer publishes its keys (JWKS, RFC 7517). */
  readonly jwksUrl: string;
  /** Milliseconds after which keys are fetched again for one that is not among them. Default 30,000. */
  readonly refetchAfterMs?: number;
  /** Milliseconds after which keys are fetched again beside the requests. Default 600,000. */
  readonly renewAfterMs?: number;
}

/**
 * Finds the key of a token among those that its issuer publishes. They are kept, for a day while the issuer is away; tokens
 * of keys that nobody knows cannot make it ask more often than it says. Throws what jose throws.
 */
export function publishedKeys({
  jwksUrl,
  refetchAfterMs = 30_000,
  renewAfterMs = 600_000,
}: PublishedKeys): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    // When to fetch is decided here: the library counts from the last success, and asks an issuer that is away each time.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let [askedAt, fetchedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let failure: unknown;
  const renew = async (leastMs: number) => {
    if (!keys.reloading) {
      if (performance.now() - askedAt < leastMs) {
        if (failure !== undefined) throw failure;
        return;
      }
      askedAt = performance.now();
    }
    try {
      await keys.reload();
      [fetchedAt, failure] = [performance.now(), undefined];
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return async (header, token) => {
    const age = performance.now() - fetchedAt;
    if (age > KEPT_MS) await renew(RETRY_MS);
    else if (age > renewAfterMs) renew(RETRY_MS).catch(() => undefined);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await renew(refetchAfterMs);
      return keys(header, token);
    }
  };
}

const TIMEOUT_MS = 3_000;
const RETRY_MS = 1_000;
const KEPT_MS = 86_400_000;

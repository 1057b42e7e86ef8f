import { hash } from 'node:crypto';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';
import { sqlTime } from '../definitions/query/compiled-query.js';

/** The settings that affect the answers of all endpoints of an engine. */
export interface EngineFacts {
  readonly database: string;
  readonly staleAfterMs: number | undefined;
  /** Whether the system clock is used. A fixed clock never advances, so keys with it do not expire. */
  readonly isSystemClock: boolean;
  /** A text that identifies the cursor secret. The cursors in an answer are valid only with the secret that encrypted them. */
  readonly cursors: string;
}

/** Returns the key of a request and the time until which it is valid, see `RequestIdentity`. */
export type RequestKey = (
  endpoint: Endpoint,
  parameters: ParameterValues,
  now: Date,
) => { readonly key: string; readonly validUntil: number };

/**
 * Creates the function that returns request keys. The definition, the parameters and the time in the unit that the
 * queries use determine the SQL texts and their values. So the key is a hash of these, and no query is compiled.
 */
export function createRequestKey({ database, staleAfterMs, isSystemClock, cursors }: EngineFacts): RequestKey {
  const facts = [database, staleAfterMs ?? null, isSystemClock];
  return (endpoint, parameters, now) => {
    const { contentHash, clock } = endpoint;
    const time = clock === undefined ? '' : sqlTime(now).slice(0, CLOCK_LENGTHS[clock]);
    const values = Object.keys(endpoint.parameters).map((name) => parameters[name]);
    const key = hash(
      'sha256',
      JSON.stringify([contentHash, facts, endpoint.cursors && cursors, time, values]),
      'base64url',
    );
    const isEndless = clock === undefined || !isSystemClock;
    return { key, validUntil: isEndless ? Number.POSITIVE_INFINITY : endOf(now.getTime(), CLOCK_MS[clock]) };
  };
}

/** The length of `YYYY-MM-DD HH:MM:SS` when it is truncated after a unit. */
const CLOCK_LENGTHS = { second: 19, hour: 13, day: 10 } as const;
const CLOCK_MS = { second: 1000, hour: 3_600_000, day: 86_400_000 } as const;

/** Returns the end of the second, hour or day that contains a time. In UTC, these start at multiples of their length since 1970. */
function endOf(time: number, length: number): number {
  return (Math.floor(time / length) + 1) * length;
}

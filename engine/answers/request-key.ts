import { hash } from 'node:crypto';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';
import { sqlTime } from '../definitions/query/compiled-query.js';

/** What the answers of all endpoints of an engine depend on. */
export interface EngineFacts {
  readonly database: string;
  readonly staleAfterMs: number | undefined;
  /** Whether the clock of the system is used. A fixed clock never advances. */
  readonly isSystemClock: boolean;
  /** Differs between the secrets of cursors. Cursors in answers are valid only with their secret. */
  readonly cursors: string;
}

/** What an answer depends on besides the data, for parameters at a time. See `RequestIdentity`. */
export type RequestKey = (
  endpoint: Endpoint,
  parameters: ParameterValues,
  now: Date,
) => { readonly key: string; readonly validUntil: number };

/**
 * Creates the function that identifies requests. The texts and values of the queries are a pure function of the definition,
 * the parameters and the part of the clock that the queries use. So the key is a hash of these, and no query is compiled.
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

/** The number of characters of `YYYY-MM-DD HH:MM:SS` that change with a unit. */
const CLOCK_LENGTHS = { second: 19, hour: 13, day: 10 } as const;
const CLOCK_MS = { second: 1000, hour: 3_600_000, day: 86_400_000 } as const;

/** The end of the unit that contains a time. Hours and days in UTC are multiples of their length since 1970. */
function endOf(time: number, length: number): number {
  return (Math.floor(time / length) + 1) * length;
}

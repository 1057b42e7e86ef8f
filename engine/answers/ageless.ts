import type { DataVersions } from '../databases/interface/data-versions.js';
import { type Endpoint, readsUnversioned } from '../definitions/endpoint/endpoint.js';
import type { Answer } from './answer.js';

/**
 * Returns whether an endpoint cannot state the age of its data, with the notice that states this. A table without versions can have changed
 * at any time, and `data_as_of` would be the only source of the age. `isStored` is false for answers that no cache stores.
 */
export function findAgeless(
  endpoint: Endpoint,
  versions: DataVersions | undefined,
  isStored: boolean,
): Pick<Answer, 'isAgeless' | 'notices'> {
  if (endpoint.dataAsOf !== undefined || !readsUnversioned(endpoint, versions))
    return { isAgeless: false, notices: [] };
  const { clock, definition } = endpoint;
  const { cacheTtlMs, serveStaleMs } = definition;
  // An answer that uses the second is never stored.
  const hasLifetime = isStored && cacheTtlMs !== undefined && clock !== 'second';
  const lifetime = hasLifetime
    ? ` An answer is used for at most ${(cacheTtlMs + serveStaleMs) / 1000} s, so later changes can be missing.`
    : '';
  return { isAgeless: true, notices: [`${UNKNOWN_AGE}${lifetime}`] };
}

const UNKNOWN_AGE = 'The age of the data is unknown, because other programs write the tables.';

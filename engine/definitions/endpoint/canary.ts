import { hash } from 'node:crypto';
import type { Endpoint } from './endpoint.js';

/** A changed definition that answers a share of the requests while the version before it answers the others. */
export interface Canary {
  /** The version that answers the other requests. */
  readonly stable: Endpoint;
  readonly candidate: Endpoint;
  /** The share of the candidate in percent. */
  readonly percent: number;
}

/** Whether the candidate answers the requests for a target. The same target always gets the same version, so that answers can be stored. */
export function isChosen(target: string, percent: number): boolean {
  const [first, second] = hash('sha256', target, 'buffer');
  return (((first ?? 0) << 8) | (second ?? 0)) < (percent / 100) * 65_536;
}

/** Creates the version of an endpoint that answers as a candidate. */
export function createCandidate(endpoint: Endpoint): Endpoint {
  return { ...endpoint, isCandidate: true };
}

/** Whether a definition can answer together with an earlier version: it has the same name and path, and answers differently. */
export function canBeCanary(stable: Endpoint, changed: Endpoint): boolean {
  const [one, other] = [stable.definition, changed.definition];
  return one.name === other.name && one.path === other.path && stable.contentHash !== changed.contentHash;
}

import { hash } from 'node:crypto';
import type { Endpoint } from './endpoint.js';

/** A changed definition, the candidate, that answers a share of the requests. The previous version answers all other requests. */
export interface Canary {
  /** The previous version, which answers all other requests. */
  readonly stable: Endpoint;
  readonly candidate: Endpoint;
  /** The percentage of requests that the candidate answers. */
  readonly percent: number;
}

/** Whether the candidate answers the requests for a target. The same target always gets the same version, so that answers can be cached. */
export function isChosen(target: string, percent: number): boolean {
  const [first, second] = hash('sha256', target, 'buffer');
  return (((first ?? 0) << 8) | (second ?? 0)) < (percent / 100) * 65_536;
}

/** Creates a copy of an endpoint that is marked as a candidate. */
export function createCandidate(endpoint: Endpoint): Endpoint {
  return { ...endpoint, isCandidate: true };
}

/** Whether a changed definition can be a canary: it must have the same name and path as the earlier version, but different answers. */
export function canBeCanary(stable: Endpoint, changed: Endpoint): boolean {
  const [one, other] = [stable.definition, changed.definition];
  return one.name === other.name && one.path === other.path && stable.contentHash !== changed.contentHash;
}

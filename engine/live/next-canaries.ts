import { canBeCanary, createCandidate } from '../endpoint/canary.js';
import type { LiveCanary, LiveState } from './next-definitions.js';

export interface CanaryParts {
  readonly before: LiveState;
  /** What would be served without canaries. */
  readonly after: LiveState;
  /** The share of changed definitions; undefined if they answer all requests. */
  readonly percent: number | undefined;
  /** Names whose candidates answer all requests from now on. */
  readonly promoted: ReadonlySet<string>;
}

/**
 * Decides which changed definitions answer only a share of the requests. A running canary continues, also if its file changes again, until
 * it is promoted, its file has problems, or its file has the stable version again.
 */
export function nextCanaries({ before, after, percent, promoted }: CanaryParts): LiveState {
  const stables = new Map(before.endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
  const canaries: LiveCanary[] = [];
  const endpoints = after.endpoints.map((source) => {
    const stable = stables.get(source.definition.name);
    if (stable === undefined || promoted.has(source.definition.name) || !canBeCanary(stable, source)) return source;
    const running = before.canaries.find((canary) => canary.stable === stable);
    const share = running?.percent ?? percent;
    if (share === undefined) return source;
    const isSame = running?.source === source;
    canaries.push(isSame ? running : { stable, candidate: createCandidate(source), percent: share, source });
    return stable;
  });
  return { ...after, endpoints, canaries };
}

import { canBeCanary, createCandidate } from '../../definitions/endpoint/canary.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { LiveCanary, LiveState } from './next-definitions.js';

export interface CanaryParts {
  readonly before: LiveState;
  /** The definitions that would be served without canaries. */
  readonly after: LiveState;
  /** The percentage of requests that changed definitions answer; undefined for all requests. Running canaries get this share too. */
  readonly percent: number | undefined;
  /** Names whose canaries end: their candidates were promoted or discarded. */
  readonly decided: ReadonlySet<string>;
}

/**
 * Decides which changed definitions answer only a share of the requests. A running canary continues, even if its file changes again. A
 * canary ends when it is promoted or discarded, or when its file has the stable version again. While its file has problems, it pauses.
 */
export function nextCanaries({ before, after, percent, decided }: CanaryParts): LiveState {
  const stables = new Map(before.endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
  const running = new Map(before.canaries.map((canary) => [canary.stable.definition.name, canary]));
  const shares = new Map([...before.paused, ...[...running].map(([name, canary]) => [name, canary.percent] as const)]);
  for (const name of decided) shares.delete(name);
  const canaries: LiveCanary[] = [];
  const endpoints = after.endpoints.map((source) => {
    const { name } = source.definition;
    const known = stables.get(name);
    const share = percent ?? shares.get(name);
    if (known === undefined || share === undefined || decided.has(name) || !canBeCanary(known, source)) return source;
    const stable = withoutProblems(known);
    const canary = running.get(name);
    const candidate = canary?.source === source ? canary.candidate : createCandidate(source);
    const isSame = canary?.candidate === candidate && canary.stable === stable && canary.percent === share;
    canaries.push(isSame ? canary : { stable, candidate, percent: share, source });
    return stable;
  });
  const outdated = new Set(after.outdated.map(({ endpoint }) => endpoint.definition.name));
  return { ...after, endpoints, canaries, paused: new Map([...shares].filter(([name]) => outdated.has(name))) };
}

/** Removes the mark `outdatedSince`: the stable version is not outdated if its file is valid. */
function withoutProblems(endpoint: Endpoint): Endpoint {
  if (endpoint.outdatedSince === undefined) return endpoint;
  const { outdatedSince: _, ...stable } = endpoint;
  return stable;
}

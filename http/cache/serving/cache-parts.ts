import type {
  CacheRule,
  DataVersions,
  Endpoint,
  Engine,
  RawParameters,
  RequestIdentity,
} from '../../../engine/index.js';
import type { SharedAnswers } from '../shared/shared-answers.js';
import type { Representation } from '../stored-answer.js';

export interface AnswerCacheParts {
  readonly engine: Engine;
  /** Absent if the versions of the tables are unknown. Then no answer with a version is stored. */
  readonly versions: DataVersions | undefined;
  /** The limit of level 1 in bytes; 0 disables it. */
  readonly memoryBytes: number;
  /** Level 2; absent if it is not configured. */
  readonly shared?: SharedAnswers | undefined;
  /** The clock of the data, which `NOW` can fix. */
  readonly clock: () => Date;
  /** The clock of the system, in milliseconds since 1970. */
  readonly now: () => number;
}

/** What happened since the start, for metrics. */
export interface CacheCounts {
  readonly hits: { readonly memory: number; readonly shared: number };
  readonly misses: number;
  /** Requests that waited for the computation of another request. They are also misses. */
  readonly collapsed: number;
  readonly stale: { readonly recomputing: number; readonly unavailable: number };
  readonly bypassed: number;
  /** Computations in the background, after commits. */
  readonly recomputed: number;
  /** Level 1. */
  readonly entries: number;
  readonly bytes: number;
  readonly evictions: number;
}

/** A request that can be answered from the cache. */
export interface CacheableRequest {
  readonly endpoint: Endpoint;
  readonly raw: RawParameters;
  readonly representation: Representation;
  readonly identity: RequestIdentity;
  readonly rule: CacheRule;
  /** Whether versions that were read before the request are not enough. */
  readonly isNewestRequired: boolean;
  /** Requests with equal keys have one entry, which contains the newest answer. */
  readonly key: string;
}

/**
 * Returns the key of a request. It does not contain the clock, so that the answer of today replaces the answer of yesterday:
 * they differ in `StoredAnswer.identity`.
 */
export function keyOf({ contentHash }: Endpoint, { representation, identity }: KeyParts): string {
  return JSON.stringify([contentHash, representation, identity.parameters]);
}

type KeyParts = Pick<CacheableRequest, 'representation' | 'identity'>;

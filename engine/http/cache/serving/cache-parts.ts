import type { Engine } from '../../../answers/engine.js';
import type { DataVersions } from '../../../databases/interface/data-versions.js';
import type { SharedAnswers } from '../stores/shared-answers.js';

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

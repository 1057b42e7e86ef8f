import type { Engine } from '../../../answers/engine.js';
import type { DataVersions } from '../../../databases/interface/data-versions.js';
import type { SharedAnswers } from '../stores/shared-answers.js';

export interface AnswerCacheParts {
  readonly engine: Engine;
  /** The versions of the tables; absent if they are unknown. Without them, only answers with a fixed lifetime are stored. */
  readonly versions: DataVersions | undefined;
  /** The size limit of level 1 (memory) in bytes; 0 disables it. */
  readonly memoryBytes: number;
  /** Level 2 (Redis); absent if it is not configured. */
  readonly shared?: SharedAnswers | undefined;
  /** The clock for the data, which the setting `NOW` can fix. */
  readonly clock: () => Date;
  /** The clock of the system, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Counters since the start of the process, for metrics. */
export interface CacheCounts {
  readonly hits: { readonly memory: number; readonly shared: number };
  readonly misses: number;
  /** Requests that waited for the computation of another request. They also count as misses. */
  readonly collapsed: number;
  readonly stale: { readonly recomputing: number; readonly unavailable: number };
  readonly bypassed: number;
  /** Answers that were recomputed in the background after commits. */
  readonly recomputed: number;
  /** The number of answers in level 1 (memory). */
  readonly entries: number;
  readonly bytes: number;
  readonly evictions: number;
}

import type { SharedWorkStatus } from '../background/shared-work.js';
import type { StopReason } from '../listening/drain.js';
import type { SentHistory } from '../live/definition-history.js';
import type { FamilyValues } from '../metrics/metrics.js';

/** A message from the primary process to a worker. */
export type ToWorker =
  | ({ readonly kind: 'begin' } & WorkerStart)
  | { readonly kind: 'reload' }
  | { readonly kind: 'take-shared-work' }
  | SharedWorkMessage
  | { readonly kind: 'read-metrics' }
  | { readonly kind: 'all-metrics'; readonly request: number; readonly processes: ProcessMetrics | undefined }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'flushed' }
  | { readonly kind: 'all-drained' }
  | { readonly kind: 'all-closed' };

/** A message from a worker to the primary process. */
export type ToPrimary =
  | { readonly kind: 'hello' }
  | ({ readonly kind: 'ready' } & ReadyWorker)
  | { readonly kind: 'definitions'; readonly history: SentHistory | undefined }
  | SharedWorkMessage
  | { readonly kind: 'metrics'; readonly families: readonly FamilyValues[] }
  | { readonly kind: 'collect-metrics'; readonly request: number; readonly own: readonly FamilyValues[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'flush' }
  | { readonly kind: 'drained' }
  | { readonly kind: 'closed' };

/** The status from the worker with the shared work. In a message to a worker, it is undefined if no worker has the work. */
export interface SharedWorkMessage {
  readonly kind: 'shared-work-status';
  readonly status: SharedWorkStatus | undefined;
}

/** The options with which a worker starts. */
export interface WorkerStart {
  /** Whether this is the first worker of a service. This worker may change the tables, because no other worker uses them yet. */
  readonly isFirst: boolean;
  /** The number of workers of the service. */
  readonly count: number;
  /** For a worker that replaces another: the definitions that the other workers serve. If undefined, the worker reads the files. */
  readonly history?: SentHistory | undefined;
}

/** The metrics of each process of the service, one element per process. */
export type ProcessMetrics = readonly (readonly FamilyValues[])[];

/** What a worker reports when it listens. */
export interface ReadyWorker {
  readonly url: string;
  readonly endpoints: number;
  /** The problems of the endpoints that answer 503. */
  readonly broken: BrokenSummary;
}

export interface BrokenSummary {
  readonly endpoints: number;
  readonly problems: readonly string[];
}

import type { SharedWorkStatus } from '../background/shared-work.js';
import type { StopReason } from '../listening/drain.js';
import type { SentHistory } from '../live/definition-history.js';
import type { FamilyValues } from '../metrics/metrics.js';

/** What the primary process sends to a worker. */
export type ToWorker =
  | ({ readonly kind: 'begin' } & WorkerStart)
  | { readonly kind: 'reload' }
  | { readonly kind: 'take-shared-work' }
  | SharedWorkMessage
  | { readonly kind: 'read-metrics' }
  | { readonly kind: 'all-metrics'; readonly request: number; readonly processes: ProcessMetrics | undefined }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** What a worker sends to the primary process. */
export type ToPrimary =
  | { readonly kind: 'hello' }
  | ({ readonly kind: 'ready' } & ReadyWorker)
  | { readonly kind: 'definitions'; readonly history: SentHistory | undefined }
  | SharedWorkMessage
  | { readonly kind: 'metrics'; readonly families: readonly FamilyValues[] }
  | { readonly kind: 'collect-metrics'; readonly request: number; readonly own: readonly FamilyValues[] }
  | { readonly kind: 'failed'; readonly message: string };

/** What the worker with the shared work knows about it. To a worker, it is undefined if no worker has the work. */
export interface SharedWorkMessage {
  readonly kind: 'shared-work-status';
  readonly status: SharedWorkStatus | undefined;
}

/** How a worker starts. */
export interface WorkerStart {
  /** The first worker of a service may change the tables, because no other worker uses them. */
  readonly isFirst: boolean;
  /** The number of workers of the service. */
  readonly count: number;
  /** What the other workers serve, for a worker that replaces one that ended. The others read the files. */
  readonly history?: SentHistory | undefined;
}

/** The metrics of each process of the service. */
export type ProcessMetrics = readonly (readonly FamilyValues[])[];

/** A worker that listens. */
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

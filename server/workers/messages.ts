import type { StopReason } from '../listening/drain.js';
import type { FamilyValues } from '../metrics/metrics.js';

/** What the primary process sends to a worker. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly isFirst: boolean }
  | { readonly kind: 'reload' }
  | { readonly kind: 'take-shared-work' }
  | { readonly kind: 'read-metrics' }
  | { readonly kind: 'all-metrics'; readonly request: number; readonly processes: ProcessMetrics | undefined }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** What a worker sends to the primary process. */
export type ToPrimary =
  | { readonly kind: 'hello' }
  | ({ readonly kind: 'ready' } & ReadyWorker)
  | { readonly kind: 'metrics'; readonly families: readonly FamilyValues[] }
  | { readonly kind: 'collect-metrics'; readonly request: number; readonly own: readonly FamilyValues[] }
  | { readonly kind: 'failed'; readonly message: string };

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

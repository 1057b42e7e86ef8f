/** The sources of a tracked repository. The console (web/) imports these types. */
export type SourceName = 'repository' | 'stars' | 'events' | 'issues';

/** How far a source of the tracked repositories was read. */
export interface SourceStatus {
  readonly source: SourceName;
  /** Repositories whose source was read to its end at least once. */
  readonly complete: number;
  /** Repositories whose source must be read now. */
  readonly due: number;
  /** Repositories whose last attempt failed. */
  readonly failing: number;
  /** The time of the last success that is longest ago, of the complete ones that GitHub still shows; null without any. `YYYY-MM-DD HH:MM:SS`. */
  readonly oldest: string | null;
}

export interface TrackingStatus {
  readonly repositories: number;
  readonly sources: readonly SourceStatus[];
}

/** What a service that follows the repositories knows after a run. */
export interface TrackingReport extends TrackingStatus {
  /** The requests that each token has left; null if it was not used. */
  readonly requestsLeft: readonly (number | null)[];
  readonly shares: readonly TypeShare[];
}

/** The share of what GitHub has of tracked repositories that the events of the archive have, in the newest month that was compared. */
export interface TypeShare {
  readonly type: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Usually from 0 to 1. */
  readonly share: number;
  /** The repositories that were compared. */
  readonly repositories: number;
}

/** The sources of a tracked repository. The console (web/) imports these types. */
export type SourceName = 'repository' | 'stars' | 'events' | 'issues';

/** The state of a source of all tracked repositories. */
export interface SourceStatus {
  readonly source: SourceName;
  /** The number of repositories whose source was read to its end at least once. */
  readonly complete: number;
  /** The number of repositories whose source must be read now. */
  readonly due: number;
  /** The number of repositories whose last attempt failed. */
  readonly failing: number;
  /**
   * The oldest time of the last success, among complete repositories that are still visible on GitHub; null if there are no such
   * repositories. `YYYY-MM-DD HH:MM:SS`.
   */
  readonly oldest: string | null;
}

export interface TrackingStatus {
  readonly repositories: number;
  readonly sources: readonly SourceStatus[];
}

/** The report of a service that follows the tracked repositories, after a run. */
export interface TrackingReport extends TrackingStatus {
  /** The number of requests that each token has left; null if it was not used yet. */
  readonly requestsLeft: readonly (number | null)[];
  readonly shares: readonly TypeShare[];
}

/** How complete the events of the archive are compared with GitHub, for the tracked repositories and the newest month that was compared. */
export interface TypeShare {
  readonly type: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** The share of GitHub's numbers that the archive has. Usually from 0 to 1. */
  readonly share: number;
  /** The number of repositories that were compared. */
  readonly repositories: number;
}

import type { CallOptions, GitHubClient } from '../client/github-client.js';
import type { Profile } from './profile-target.js';

/** A record to refresh: its id and its last known name. */
export interface Candidate {
  readonly id: number;
  readonly name: string;
}

/**
 * Fetches the profiles of some records from GitHub, one profile per candidate. A profile with only an id means that GitHub does not show
 * the record. Rejects with `GitHubError`.
 */
export type FetchProfiles = (
  client: GitHubClient,
  candidates: readonly Candidate[],
  options: CallOptions,
) => Promise<readonly Profile[]>;

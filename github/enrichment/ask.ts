import type { CallOptions, HostClient } from '../client/github-client.js';
import type { ToldProfile } from './profile-target.js';

/** A record to be asked about: its id and the name by which it was last known. */
export interface Candidate {
  readonly id: number;
  readonly name: string;
}

/** Asks the platform about some records; gives a profile of each, with the id alone of whom it tells nothing. Throws `HostError`. */
export type Ask = (
  client: HostClient,
  candidates: readonly Candidate[],
  options: CallOptions,
) => Promise<readonly ToldProfile[]>;

import { sqlTime } from '../../engine/index.js';
import type { Store } from '../../warehouse/store/store.js';
import { callWithWaits, type WaitOptions } from '../client/call-with-waits.js';
import type { GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import type { Candidates } from './candidates.js';
import type { Candidate, FetchProfiles } from './fetch-profiles.js';
import type { Profile, ProfileTarget } from './profile-target.js';
import { storeProfiles } from './store-profiles.js';

/** The table to enrich, and the functions that fetch its profiles. */
export interface Enrichment {
  readonly store: Store;
  readonly client: GitHubClient;
  readonly target: ProfileTarget;
  readonly candidates: Candidates;
  readonly fetchProfiles: FetchProfiles;
  /** Adds values that are derived from a profile, for example the country. */
  readonly complete: (profile: Profile) => Profile;
}

export interface EnrichOptions extends WaitOptions {
  /** The maximum number of records. If `limit` is undefined, the run refreshes all records that need a refresh. */
  readonly limit?: number;
  /** Records that were refreshed within this number of days are skipped. */
  readonly olderThanDays: number;
  readonly clock: () => Date;
  readonly onProgress?: (state: EnrichProgress) => void;
}

export interface EnrichProgress {
  readonly done: number;
  readonly total: number;
  readonly deleted: number;
}

export interface EnrichSummary {
  /** The number of records with a new profile. */
  readonly refreshed: number;
  /** The number of records that no longer exist on GitHub. */
  readonly deleted: number;
  /** The number of records that GitHub does not show. The next run treats them as refreshed. */
  readonly declined: number;
  /** The number of records within the limit that still need a refresh. */
  readonly left: number;
  readonly seconds: number;
  /** Why the run stopped before the end. To continue, run the same command again. */
  readonly stopped?: string;
}

/**
 * Fetches the profiles of the records that need a refresh, the most important first. Each batch of 100 records is one transaction, so after
 * an interruption, at most one batch is repeated. Rejects with `AlreadyRunningError` while another enrichment of the table runs.
 */
export function enrich(enrichment: Enrichment, options: EnrichOptions): Promise<EnrichSummary> {
  const { store, target } = enrichment;
  return store.runExclusively(`enrichment of ${target.table}`, 0, async () => {
    const summary = await new Run(enrichment, options).all();
    await store.optimize();
    return summary;
  });
}

/** The number of records per GraphQL query. A query takes about as long as a REST request for one record. */
const BATCH = 100;
/** The number of records that one database query selects. The number is high, because the query reads whole tables. */
const PAGE = 20_000;
const DAY_MS = 86_400_000;

class Run {
  readonly #enrichment: Enrichment;
  readonly #options: EnrichOptions;
  readonly #attempted = new Set<number>();
  readonly #started = performance.now();
  #total = 0;
  #refreshed = 0;
  #deleted = 0;
  #declined = 0;

  constructor(enrichment: Enrichment, options: EnrichOptions) {
    this.#enrichment = enrichment;
    this.#options = options;
  }

  async all(): Promise<EnrichSummary> {
    const { clock, olderThanDays, limit = Number.POSITIVE_INFINITY, signal } = this.#options;
    const before = sqlTime(new Date(clock().getTime() - olderThanDays * DAY_MS));
    this.#total = Math.min(limit, await this.#enrichment.candidates.count(before));
    try {
      for (let page = await this.#page(before); page.length > 0; page = await this.#page(before)) {
        for (let start = 0; start < page.length; start += BATCH) await this.#batch(page.slice(start, start + BATCH));
      }
      return this.#summary();
    } catch (error) {
      if (signal.aborted) return this.#summary((signal.reason as Error).message);
      if (error instanceof GitHubError) return this.#summary(error.message);
      throw error;
    }
  }

  /** Returns the next records to refresh, except those that this run has already tried to refresh. */
  async #page(before: string): Promise<Candidate[]> {
    const limit = Math.min(PAGE, this.#total - this.#attempted.size);
    if (limit <= 0) return [];
    const page = await this.#enrichment.candidates.first(before, limit);
    return page.filter(({ id }) => !this.#attempted.has(id));
  }

  async #batch(batch: readonly Candidate[]): Promise<void> {
    const { store, client, target, complete, fetchProfiles } = this.#enrichment;
    const profiles = await callWithWaits((call) => fetchProfiles(client, batch, call), this.#options);
    await storeProfiles(store, target, profiles.map(complete), sqlTime(this.#options.clock()));
    const deleted = profiles.filter((profile) => profile.is_deleted === 1).length;
    this.#deleted += deleted;
    const declined = profiles.filter((profile) => Object.keys(profile).length === 1).length;
    this.#declined += declined;
    this.#refreshed += profiles.length - deleted - declined;
    for (const { id } of batch) this.#attempted.add(id);
    this.#options.onProgress?.({ done: this.#attempted.size, total: this.#total, deleted: this.#deleted });
  }

  #summary(stopped?: string): EnrichSummary {
    const seconds = (performance.now() - this.#started) / 1000;
    const left = Math.max(0, this.#total - this.#attempted.size);
    const done = { refreshed: this.#refreshed, deleted: this.#deleted, declined: this.#declined, left, seconds };
    return stopped === undefined ? done : { ...done, stopped };
  }
}

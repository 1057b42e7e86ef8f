import { setTimeout as pauseFor } from 'node:timers/promises';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../../warehouse/store/store.js';
import type { HostClient } from '../client/github-client.js';
import { HostError } from '../client/github-error.js';
import type { Ask, Candidate } from './ask.js';
import type { Candidates } from './candidates.js';
import type { ProfileTarget, ToldProfile } from './profile-target.js';
import { storeProfiles } from './store-profiles.js';

/** What is enriched, and how it is asked about. */
export interface Enrichment {
  readonly store: Store;
  readonly client: HostClient;
  readonly target: ProfileTarget;
  readonly candidates: Candidates;
  readonly ask: Ask;
  /** Adds what follows from a profile. */
  readonly complete: (profile: ToldProfile) => ToldProfile;
}

export interface EnrichOptions {
  /** Records at most; left out: all that need it. */
  readonly limit?: number;
  /** Records of which the platform told within so many days do not need it. */
  readonly olderThanDays: number;
  /** Whether limits of the platform, and its failures, are waited for. */
  readonly wait: boolean;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  readonly onProgress?: (state: EnrichProgress) => void;
  /** Hears what is waited for. */
  readonly onNotice?: (message: string) => void;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970, for what the platform wants to be waited for; `clock` may stand still. */
  readonly now?: () => number;
}

export interface EnrichProgress {
  readonly done: number;
  readonly total: number;
  readonly deleted: number;
}

export interface EnrichSummary {
  /** Records of which the platform told. */
  readonly refreshed: number;
  /** Records of which it said that they are gone. */
  readonly deleted: number;
  /** Records of which it would tell nothing; they count as told of. */
  readonly declined: number;
  /** Records that need it still, as far as the limit went. */
  readonly left: number;
  readonly seconds: number;
  /** Why it ended before all was done; the same command goes on from there. */
  readonly stopped?: string;
}

/**
 * Asks the platform about the records that need it, the most important first, and writes what it tells, a transaction for
 * every hundred: whatever happens, at most that many are asked about again. Throws `AlreadyRunningError` while another does.
 */
export function enrich(enrichment: Enrichment, options: EnrichOptions): Promise<EnrichSummary> {
  const { store, target } = enrichment;
  return store.runExclusively(`enrichment of ${target.table}`, 0, async () => {
    const summary = await new Run(enrichment, options).all();
    await store.optimize();
    return summary;
  });
}

/** GraphQL takes about as many in a second as it takes to tell of one over REST. */
const BATCH = 100;
/** Records that are chosen at a time: choosing reads whole tables. */
const PAGE = 20_000;
const DEADLINE_MS = 30_000;
/** How long a platform that fails is waited for, one failure after the other. */
const PAUSES_MS = [5_000, 15_000, 60_000, 120_000, 300_000];
const DAY_MS = 86_400_000;

class Run {
  readonly #enrichment: Enrichment;
  readonly #options: EnrichOptions;
  readonly #seen = new Set<number>();
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
      if (error instanceof HostError) return this.#summary(error.message);
      throw error;
    }
  }

  /** The next records that were not asked about in this run, whatever became of them. */
  async #page(before: string): Promise<Candidate[]> {
    const most = Math.min(PAGE, this.#total - this.#seen.size);
    if (most <= 0) return [];
    const page = await this.#enrichment.candidates.first(before, most);
    return page.filter(({ id }) => !this.#seen.has(id));
  }

  async #batch(batch: readonly Candidate[]): Promise<void> {
    const { store, target, complete } = this.#enrichment;
    const profiles = await this.#askPatiently(batch);
    await storeProfiles(store, target, profiles.map(complete), sqlTime(this.#options.clock()));
    const deleted = profiles.filter((profile) => profile.is_deleted === 1).length;
    this.#deleted += deleted;
    const declined = profiles.filter((profile) => Object.keys(profile).length === 1).length;
    this.#declined += declined;
    this.#refreshed += profiles.length - deleted - declined;
    for (const { id } of batch) this.#seen.add(id);
    this.#options.onProgress?.({ done: this.#seen.size, total: this.#total, deleted: this.#deleted });
  }

  async #askPatiently(batch: readonly Candidate[]): Promise<readonly ToldProfile[]> {
    const { signal } = this.#options;
    for (let failures = 0; ; ) {
      signal.throwIfAborted();
      try {
        return await this.#enrichment.ask(this.#enrichment.client, batch, { deadlineMs: DEADLINE_MS, signal });
      } catch (error) {
        if (signal.aborted || !(error instanceof HostError)) throw error;
        await this.#pause(error, failures);
        if (error.failure !== 'limited') failures++;
      }
    }
  }

  /** Waits for what is worth it, and throws the error otherwise. */
  async #pause(error: HostError, failures: number): Promise<void> {
    const { wait, signal, onNotice, pause = pauseMs } = this.#options;
    const ms = error.retryAt === undefined ? PAUSES_MS[failures] : this.#until(error.retryAt);
    const isPassing = error.failure === 'limited' || error.failure === 'away' || error.failure === 'unreadable';
    if (!wait || !isPassing || ms === undefined) throw error;
    onNotice?.(`${error.message} Waiting ${Math.ceil(ms / 1000)} s.`);
    await pause(ms, signal);
  }

  /** A little longer, as the platform's clock may be behind. */
  #until(time: Date): number {
    const { now = Date.now } = this.#options;
    return Math.max(0, time.getTime() - now()) + 1_000;
  }

  #summary(stopped?: string): EnrichSummary {
    const seconds = (performance.now() - this.#started) / 1000;
    const left = Math.max(0, this.#total - this.#seen.size);
    const done = { refreshed: this.#refreshed, deleted: this.#deleted, declined: this.#declined, left, seconds };
    return stopped === undefined ? done : { ...done, stopped };
  }
}

async function pauseMs(ms: number, signal: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, { signal });
}

import type { Store } from '../../warehouse/store/store.js';
import { callWithWaits, type WaitOptions } from '../client/call-with-waits.js';
import type { GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { loadFeedPages, PAGES_PER_LOAD } from './feed-pages.js';
import {
  ABSENT,
  failed,
  isDue,
  readState,
  type Source,
  type SourcePage,
  type SourceState,
  writeState,
} from './source.js';
import { SOURCES } from './sources.js';
import { listTracked, rankOf, removeUntracked, type TrackedRepository } from './tracked-repositories.js';
import type { SourceName } from './tracking-progress.js';

export interface FollowOptions extends WaitOptions {
  /** The sources to read. Default: all. */
  readonly only?: SourceName;
  /** The maximum number of requests to GitHub. Default: no maximum. */
  readonly budget?: number;
  /** The folder from which the database may read files. */
  readonly stagingDirectory: string;
  readonly clock: () => Date;
  readonly onProgress?: (state: FollowProgress) => void;
}

/** The numbers of sources: each repository has four. */
export interface FollowProgress {
  readonly done: number;
  readonly due: number;
  readonly requests: number;
}

export interface FollowSummary {
  /** The number of repositories. */
  readonly tracked: number;
  /** Sources that are up to date now. */
  readonly updated: number;
  /** Sources that GitHub does not have or does not show. */
  readonly absent: number;
  /** Sources that GitHub did not send, or sent in an unknown form. They are tried again later. */
  readonly failed: number;
  /** Sources that are still due. */
  readonly left: number;
  readonly requests: number;
  /** The events of feeds that the data did not have. */
  readonly events: number;
  readonly seconds: number;
  /** Why the run stopped before the end. To continue, run the same command again. */
  readonly stopped?: string;
}

/**
 * Reads the sources of the tracked repositories that are due, in the order of `SOURCES`; of each, those of collections first. Each page is
 * one transaction, so that an interrupted run continues with the next page. Events of feeds are added to the data for many pages
 * together. Rejects with `AlreadyRunningError` while another run works on this database.
 */
export function followTracked(store: Store, client: GitHubClient, options: FollowOptions): Promise<FollowSummary> {
  return store.runExclusively('following of tracked repositories', 0, () => new Run(store, client, options).all());
}

/** After this number of consecutive failures, GitHub probably fails for all repositories. */
const MAX_FAILURES = 5;

/** A source of a repository. */
interface DueSource {
  readonly id: number;
  readonly source: Source;
}

class Run {
  readonly #store: Store;
  readonly #client: GitHubClient;
  readonly #options: FollowOptions;
  readonly #started = performance.now();
  readonly #counts = { updated: 0, absent: 0, failed: 0 };
  #tracked = 0;
  #due: readonly DueSource[] = [];
  #requests = 0;
  #failures = 0;
  #events = 0;
  /** The sources that were read since the last load of feeds. */
  #unloaded = 0;

  constructor(store: Store, client: GitHubClient, options: FollowOptions) {
    this.#store = store;
    this.#client = client;
    this.#options = options;
  }

  async all(): Promise<FollowSummary> {
    const { clock, signal, only } = this.#options;
    const tracked = await this.#store.write(async (tables) => {
      const all = await listTracked(tables);
      await removeUntracked(tables, all);
      return all;
    });
    this.#tracked = tracked.length;
    this.#due = SOURCES.filter(({ name }) => only === undefined || name === only).flatMap((source) =>
      inOrder(tracked, source)
        .filter(({ sources }) => isDue(source, sources[source.name], clock()))
        .map(({ id }): DueSource => ({ id, source })),
    );
    try {
      for (const due of this.#due) {
        await this.#follow(due);
        if (due.source.name === 'events' && ++this.#unloaded >= PAGES_PER_LOAD) await this.#loadFeeds();
        this.#report();
      }
      return await this.#end();
    } catch (error) {
      if (signal.aborted) return this.#summary((signal.reason as Error).message);
      if (error instanceof GitHubError || error instanceof BudgetError) return this.#end(error.message);
      throw error;
    }
  }

  async #end(stopped?: string): Promise<FollowSummary> {
    await this.#loadFeeds();
    return this.#summary(stopped);
  }

  /** Loads the events that were read, also those of an earlier run that was interrupted. */
  async #loadFeeds(): Promise<void> {
    this.#unloaded = 0;
    const { events, isPostponed } = await loadFeedPages(this.#store, this.#options);
    this.#events += events;
    if (isPostponed) this.#options.onNotice?.('An import is running. A later run adds the events that were read.');
  }

  async #follow({ id, source }: DueSource): Promise<void> {
    const { clock } = this.#options;
    // Another source may have changed the state meanwhile.
    const stored = await this.#store.write((tables) => readState(tables, id, source.name));
    let state = source.start(stored, clock());
    try {
      do {
        const { page, requestedAt } = await this.#fetch(id, source, state);
        this.#failures = 0;
        const before = state;
        if (page === 'absent') {
          this.#counts.absent++;
          await this.#store.write(async (tables) => {
            await writeState(tables, id, source.name, failed(before, ABSENT, requestedAt));
            await source.remove(tables, id, requestedAt);
          });
          return;
        }
        state = await this.#store.write(async (tables) => {
          const after =
            page === 'unchanged' ? source.unchanged(before, requestedAt) : await page.store(tables, id, requestedAt);
          await writeState(tables, id, source.name, after);
          await source.record(tables, id, after);
          return after;
        });
        // The newest rows of a source that was interrupted for hours are read again.
      } while (isDue(source, state, clock()));
      this.#counts.updated++;
    } catch (error) {
      if (!(error instanceof GitHubError) || !isOfRepository(error)) throw error;
      this.#counts.failed++;
      const rest = error.failure === 'unreadable' ? source.restart(state) : state;
      await this.#store.write((tables) => writeState(tables, id, source.name, failed(rest, error.message, clock())));
      if (++this.#failures >= MAX_FAILURES) throw error;
    }
  }

  /** Requests the next page. `requestedAt` is the time before the request that was answered. */
  async #fetch(
    id: number,
    source: Source,
    state: SourceState,
  ): Promise<{ readonly page: SourcePage | 'unchanged' | 'absent'; readonly requestedAt: Date }> {
    const { budget = Number.POSITIVE_INFINITY, clock } = this.#options;
    let requestedAt = clock();
    const reply = await callWithWaits((call) => {
      if (this.#requests >= budget) throw new BudgetError(budget);
      this.#requests++;
      requestedAt = clock();
      return source.request(this.#client, id, state, call, requestedAt);
    }, this.#options);
    return { page: reply.state === 'found' ? source.read(reply, state) : reply.state, requestedAt };
  }

  #report(): void {
    const { updated, absent, failed } = this.#counts;
    const done = updated + absent + failed;
    this.#options.onProgress?.({ done, due: this.#due.length, requests: this.#requests });
  }

  #summary(stopped?: string): FollowSummary {
    const { updated, absent, failed } = this.#counts;
    return {
      tracked: this.#tracked,
      ...this.#counts,
      left: this.#due.length - updated - absent - failed,
      requests: this.#requests,
      events: this.#events,
      seconds: (performance.now() - this.#started) / 1000,
      ...(stopped !== undefined && { stopped }),
    };
  }
}

class BudgetError extends Error {
  constructor(budget: number) {
    super(`The budget of ${budget} ${budget === 1 ? 'request' : 'requests'} is used up.`);
  }
}

/** Whether a failure may concern one repository, so that the next one can succeed. */
function isOfRepository({ failure }: GitHubError): boolean {
  return failure !== 'rate-limited' && failure !== 'unauthorized';
}

/**
 * The repositories in the order in which a source is read: by the reason why they are tracked; of each reason, those whose source was
 * read in part, and then those that were tried longest ago.
 */
function inOrder(tracked: readonly TrackedRepository[], { name }: Source): TrackedRepository[] {
  const keyOf = ({ sources }: TrackedRepository) => {
    const { nextPage, completedAt, triedAt = '' } = sources[name];
    const isPartial = nextPage > 1 || (triedAt !== '' && completedAt === undefined);
    return `${isPartial ? 0 : 1} ${triedAt}`;
  };
  // The list is in the order of the reasons, and sorting is stable.
  return [...tracked].sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(keyOf(a), keyOf(b)));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

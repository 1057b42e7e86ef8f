import type { Store } from '../../warehouse/store/store.js';
import { callWithWaits, type WaitOptions } from '../client/call-with-waits.js';
import type { GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { loadFeedPages, PAGES_PER_LOAD } from './feed-pages.js';
import {
  ABSENT,
  failed,
  isDue,
  NEVER_READ,
  type ReadPage,
  readStates,
  type Source,
  type SourcePage,
  type SourceState,
  writeStates,
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

/** The progress, as numbers of sources. Each repository has four sources. */
export interface FollowProgress {
  readonly done: number;
  readonly due: number;
  readonly requests: number;
}

export interface FollowSummary {
  /** The number of repositories. */
  readonly tracked: number;
  /** The number of sources that are now up to date. */
  readonly updated: number;
  /** The number of sources that do not exist on GitHub or are not visible. */
  readonly absent: number;
  /** The number of sources for which the request failed or the response had an unknown form. Failed repositories are retried later. */
  readonly failed: number;
  /** The number of sources that still must be read. */
  readonly left: number;
  readonly requests: number;
  /** The number of events from feeds that were new to the data. */
  readonly events: number;
  readonly seconds: number;
  /** Why the run stopped before the end. To continue, run the same command again. */
  readonly stopped?: string;
}

/**
 * Reads the due sources of the tracked repositories, in the order of `SOURCES`. For each source, repositories of collections come first.
 * The pages of several repositories are stored in one transaction. After an interruption, the next run continues with the next page.
 * Rejects with `AlreadyRunningError` while another run works on this database.
 */
export function followTracked(store: Store, client: GitHubClient, options: FollowOptions): Promise<FollowSummary> {
  return store.runExclusively('following of tracked repositories', 0, () => new Run(store, client, options).all());
}

/** After this number of consecutive failures, the run stops, because GitHub probably fails for all repositories. */
const MAX_FAILURES = 5;

/**
 * The number of pages that one transaction stores. A larger number needs fewer statements, but more pages are requested again after a
 * crash.
 */
const PAGES_PER_STORE = 50;
/** The maximum size of the events that one transaction stores. TiDB accepts 100 MB per transaction. */
const BYTES_PER_STORE = 8_000_000;

/** A source of a repository. */
interface DueSource {
  readonly id: number;
  readonly source: Source;
}

/** A change that follows from a response of GitHub. */
interface Change {
  readonly repoId: number;
  readonly after: SourceState;
  readonly page?: SourcePage<unknown>;
  /** The time of the request, if GitHub did not show the repository. */
  readonly absentAt?: Date;
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
  /** The feeds that were read since the last load. */
  #unloaded = 0;
  /** The changes of one source that are not stored yet. */
  #changes: Change[] = [];
  /** The total size of the events in these changes. */
  #bytes = 0;
  /** The error of the last attempt to store changes. */
  #storeError: unknown;

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
      for (const source of SOURCES) await this.#followAll(source);
      return await this.#end();
    } catch (error) {
      if (signal.aborted && error !== this.#storeError) return this.#summary((signal.reason as Error).message);
      if (error instanceof GitHubError || error instanceof BudgetError) return this.#end(error.message);
      throw error;
    }
  }

  async #end(stopped?: string): Promise<FollowSummary> {
    await this.#loadFeeds();
    return this.#summary(stopped);
  }

  async #followAll(source: Source): Promise<void> {
    const due = this.#due.filter((each) => each.source === source);
    if (due.length === 0) return;
    // Reading another source may have changed the states in the meantime.
    let states = await this.#store.write(readStates);
    try {
      for (const { id } of due) {
        await this.#follow(id, source, states.get(`${id} ${source.name}`) ?? NEVER_READ);
        if (source.name === 'events' && ++this.#unloaded >= PAGES_PER_LOAD) {
          await this.#storeChanges(source);
          await this.#loadFeeds();
          // A rejected page changes the state of its source.
          states = await this.#store.write(readStates);
        }
        this.#report();
      }
    } finally {
      await this.#storeChanges(source);
    }
  }

  async #add(source: Source, change: Change): Promise<void> {
    this.#changes.push(change);
    this.#bytes += (change.after.poll?.lines ?? []).reduce((sum, line) => sum + line.length, 0);
    if (this.#changes.length >= PAGES_PER_STORE || this.#bytes >= BYTES_PER_STORE) await this.#storeChanges(source);
  }

  async #storeChanges(source: Source): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    this.#bytes = 0;
    if (changes.length === 0) return;
    try {
      await this.#storeTogether(source, changes);
    } catch (error) {
      this.#storeError = error;
      const byRepo = new Map<number, Change[]>();
      for (const change of changes) byRepo.set(change.repoId, [...(byRepo.get(change.repoId) ?? []), change]);
      if (byRepo.size === 1) throw error;
      // If the database rejects the changes of one repository, those of the others are still stored.
      let failures = 0;
      for (const some of byRepo.values()) {
        await this.#storeTogether(source, some).catch((one: unknown) => {
          this.#storeError = one;
          failures++;
        });
        if (failures >= MAX_FAILURES) break;
      }
      if (failures > 0) throw this.#storeError;
    }
  }

  #storeTogether(source: Source, changes: readonly Change[]): Promise<void> {
    const pages = changes.flatMap(({ page }) => page ?? []);
    return this.#store.write(async (tables) => {
      await writeStates(tables, source.name, new Map(changes.map(({ repoId, after }) => [repoId, after])));
      if (pages.length > 0) await source.store(tables, pages);
      for (const { repoId, absentAt } of changes) {
        if (absentAt !== undefined) await source.remove(tables, repoId, absentAt);
      }
    });
  }

  /** Loads the events that were read, including those of an earlier, interrupted run. */
  async #loadFeeds(): Promise<void> {
    this.#unloaded = 0;
    const { events, isPostponed } = await loadFeedPages(this.#store, this.#options);
    this.#events += events;
    if (isPostponed) this.#options.onNotice?.('An import is running. A later run adds the events that were read.');
  }

  async #follow(repoId: number, source: Source, stored: SourceState): Promise<void> {
    const { clock } = this.#options;
    let state = source.start(stored, clock());
    try {
      do {
        const { answer, requestedAt } = await this.#fetch(repoId, source, state);
        this.#failures = 0;
        if (answer === 'absent') {
          this.#counts.absent++;
          await this.#add(source, { repoId, after: failed(state, ABSENT, requestedAt), absentAt: requestedAt });
          return;
        }
        const before = state;
        const { page, after } = answer;
        state = after;
        await this.#add(source, { repoId, after, page: { repoId, before, after, page } });
        // If reading the source took hours because of interruptions, its newest rows are due again.
      } while (isDue(source, state, clock()));
      this.#counts.updated++;
    } catch (error) {
      if (!(error instanceof GitHubError) || !isOfRepository(error)) throw error;
      this.#counts.failed++;
      const rest = error.failure === 'unreadable' ? source.restart(state) : state;
      await this.#add(source, { repoId, after: failed(rest, error.message, clock()) });
      if (++this.#failures >= MAX_FAILURES) throw error;
    }
  }

  /** Requests the next page. `requestedAt` is the time before the successful request. */
  async #fetch(
    id: number,
    source: Source,
    state: SourceState,
  ): Promise<{ readonly answer: ReadPage<unknown> | 'absent'; readonly requestedAt: Date }> {
    const { budget = Number.POSITIVE_INFINITY, clock } = this.#options;
    let requestedAt = clock();
    const reply = await callWithWaits((call) => {
      if (this.#requests >= budget) throw new BudgetError(budget);
      this.#requests++;
      requestedAt = clock();
      return source.request(this.#client, id, state, call, requestedAt);
    }, this.#options);
    if (reply.state === 'absent') return { answer: reply.state, requestedAt };
    if (reply.state === 'found') return { answer: source.read(reply, id, state, requestedAt), requestedAt };
    const after = source.unchanged(state, requestedAt, reply.pollSeconds);
    return { answer: { page: undefined, after }, requestedAt };
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

/** Whether a failure may be limited to one repository, so that a request for the next one can succeed. */
function isOfRepository({ failure }: GitHubError): boolean {
  return failure !== 'rate-limited' && failure !== 'unauthorized';
}

/**
 * Sorts the repositories for a source: first by the reason for tracking. For the same reason, those whose source was only read in part come
 * first, then those whose last attempt was longest ago.
 */
function inOrder(tracked: readonly TrackedRepository[], { name }: Source): TrackedRepository[] {
  const keyOf = ({ sources }: TrackedRepository) => {
    const { nextPage, completedAt, triedAt = '' } = sources[name];
    const isPartial = nextPage > 1 || (triedAt !== '' && completedAt === undefined);
    return `${isPartial ? 0 : 1} ${triedAt}`;
  };
  // The order is stable for equal keys.
  return [...tracked].sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(keyOf(a), keyOf(b)));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import type { AnswerCacheParts } from '../../engine/http/cache/serving/cache-parts.js';
import { createAnswerCache, type RunningAnswerCache } from '../../engine/http/cache/serving/request-cache.js';
import type { ServedAnswer } from '../../engine/http/cache/stored-answer.js';
import {
  createEngine,
  type DataVersions,
  EngineError,
  type EngineEvent,
  PATIENT_METADATA_TIMEOUT_MS,
  type VersionState,
} from '../../engine/index.js';
import { endpointOf } from '../engine/fixtures.js';
import { openToyDatabase, type ToyDatabase } from '../engine/toy-database.js';

/** The versions of tables, under control of a test. */
export class TestVersions implements DataVersions {
  #tables: ReadonlyMap<string, string> = new Map(Object.entries({ loaves: '1.a', ovens: '1.a' }));
  #held = Promise.resolve();
  /** The versions at the last read. Undefined if the current versions are always known. */
  #seen: ReadonlyMap<string, string> | undefined;
  /** Whether reading the versions fails. */
  isUnavailable = false;
  /** The number of calls of `confirm` in progress. */
  waiting = 0;
  readonly #listeners = new Set<(tables: ReadonlySet<string>) => void>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get known(): VersionState {
    return { tables: this.#seen ?? this.#tables, confirmedAt: this.#now() };
  }

  recent(): VersionState {
    return this.known;
  }

  async confirm(): Promise<VersionState> {
    if (this.isUnavailable) throw new EngineError('database_unavailable', 'unavailable');
    if (this.#seen !== undefined) this.#seen = this.#tables;
    const state = this.known;
    this.waiting += 1;
    await this.#held;
    this.waiting -= 1;
    return state;
  }

  /** From now on, changes are only known after the versions were read, as with a server. */
  poll(): void {
    this.#seen = this.#tables;
  }

  /** From now on, `confirm` reads the versions immediately but returns them only after the returned function was called. */
  hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  onChange(listener: (tables: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes the version of a table, as for a table that other programs write. */
  remove(table: string): void {
    this.#tables = new Map([...this.#tables].filter(([name]) => name !== table));
  }

  change(table: string): void {
    const number = Number.parseInt(this.#tables.get(table) ?? '0', 10) + 1;
    this.#tables = new Map([...this.#tables, [table, `${number}.a`]]);
    for (const listener of this.#listeners) listener(new Set([table]));
  }
}

export interface GatedCache {
  readonly cache: RunningAnswerCache;
  readonly versions: TestVersions;
  readonly events: EngineEvent[];
  /** Returns the number of queries that have started. */
  readonly queries: () => number;
  /** Returns the number of queries that were aborted. */
  readonly aborted: () => number;
  /** Makes queries wait until `open` is called. */
  shut(): void;
  open(): void;
  /** Moves the clock forward by some milliseconds. */
  advance(ms: number): void;
  ask(query?: Readonly<Record<string, string>>, options?: AskOptions): Promise<ServedAnswer>;
  close(): Promise<void>;
}

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly target?: string;
  readonly isNewestRequired?: boolean;
}

/** Creates a cache on an engine with one definition. While the gate is shut, its queries wait. */
export async function openGatedCache(
  yaml: string,
  options: Partial<Pick<AnswerCacheParts, 'memoryBytes' | 'shared'>> = {},
): Promise<GatedCache> {
  const [endpoint, database] = [await endpointOf(yaml), await openToyDatabase()];
  const gate = createGate(database);
  let time = Date.parse('2026-06-30T12:00:00Z');
  const now = () => time;
  const clock = () => new Date(time);
  const [versions, events] = [new TestVersions(now), [] as EngineEvent[]];
  const stopwatch = () => 0;
  const observe = (event: EngineEvent) => void (event.kind === 'queried' || events.push(event));
  const engine = createEngine({
    endpoints: [endpoint],
    database: gate.database,
    versions,
    systemClock: clock,
    stopwatch,
    metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    observe,
  });
  const cache = createAnswerCache({
    engine,
    versions,
    memoryBytes: 1e6,
    clock,
    now,
    ...options,
  });
  return {
    cache,
    versions,
    events,
    ...gate,
    advance: (ms) => {
      time += ms;
    },
    ask: (query = {}, { signal = new AbortController().signal, target = '/toy', isNewestRequired = false } = {}) =>
      cache.serve({
        endpoint,
        raw: { path: {}, query },
        representation: 'query',
        generation: engine.generation,
        target,
        isNewestRequired,
        signal,
      }),
    close: async () => {
      gate.open();
      await cache.close();
      await database.close();
    },
  };
}

function createGate(database: ToyDatabase) {
  let [started, stopped] = [0, 0];
  let opened = Promise.resolve();
  let open = () => {};
  const query: ToyDatabase['query'] = async (prepared, values, options) => {
    started += 1;
    if ('deadline' in options) options.deadline.signal?.addEventListener('abort', () => (stopped += 1));
    await opened;
    return database.query(prepared, values, options);
  };
  return {
    database: { ...database, query },
    queries: () => started,
    aborted: () => stopped,
    shut: () => {
      opened = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
}

import { ConstantBackoff, handleWhenResult, retry } from 'cockatiel';
import type { Logger } from 'pino';
import {
  type DataVersions,
  type Endpoint,
  inOrderOfReading,
  isDue,
  type MaterializedEndpoint,
  type Refresh,
  type RefreshParts,
  RollupError,
  type RollupState,
  type RollupStore,
  refreshRollup,
} from '../../engine/index.js';
import { isLate, type RepeatedWork, repeat } from './repeat.js';

const EVERY_MS = 2_000;
/** The service waits at most this time for the first refresh before it listens. */
const START_MS = 5_000;

/** Counts of the refreshes of one definition since the start, and its last refresh. */
interface RefreshCounts {
  succeeded: number;
  failed: number;
  last: { readonly state: RollupState; readonly ms: number } | undefined;
}

export interface RollupWorkParts extends RefreshParts {
  /** Returns the newest valid definitions, also those that the database rejects because of a missing table or column. */
  readonly endpoints: () => readonly Endpoint[];
  /** Called after the first refresh of a table, which definitions can read from now on. */
  readonly onCreated: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * Refreshes the tables of materialized definitions when they are due. Only one of several processes refreshes at a time. After a failure, the
 * previous rows stay, and the refresh runs again when it is next due.
 */
export class RollupWork {
  readonly #parts: RollupWorkParts;
  readonly #counts = new Map<string, RefreshCounts>();
  /** The failures that are logged, by definition, and when a failed refresh may run again. */
  readonly #failures = new Map<
    string,
    { readonly message: string; readonly identity: string; readonly again: number }
  >();
  /** The tables without a definition. */
  #undefined: ReadonlySet<string> = new Set();
  readonly #stopping = new AbortController();
  #work: RepeatedWork | undefined;

  constructor(parts: RollupWorkParts) {
    this.#parts = parts;
  }

  /** Counts by the name of the definition. */
  get counts(): ReadonlyMap<string, Readonly<RefreshCounts>> {
    return this.#counts;
  }

  /** Refreshes all due tables, and then repeats this. Throws an Error if the database has other tables with the names of these tables. */
  async start(): Promise<void> {
    const { store, logger } = this.#parts;
    const tables = this.#rollups().map(({ rollup }) => rollup.table);
    const foreign = tables.length === 0 ? [] : await store.foreign(tables);
    if (foreign.length > 0) throw new Error(`materialize: ${foreign.map(describeForeign).join('; ')}`);
    const unnoticed = await findUnnoticed(this.#parts.endpoints(), this.#parts.versions);
    for (const table of unnoticed)
      logger.warn({ table }, 'changes of this table are not noticed, so materialize.after has no effect: use every');
    this.#work = repeat('refreshing materialized tables', EVERY_MS, () => this.#refreshDue(), logger);
    if (await isLate(this.#work.now(), START_MS))
      logger.info('the first refresh of materialized tables continues; until it ends, their definitions answer 503');
  }

  /** Refreshes the tables that are due now. */
  async now(): Promise<void> {
    await this.#work?.now();
  }

  /** Interrupts a refresh, whose table then keeps its rows. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work?.stop();
  }

  #rollups() {
    return inOrderOfReading(this.#parts.endpoints());
  }

  async #refreshDue(): Promise<void> {
    const { store } = this.#parts;
    const rollups = this.#rollups();
    // An API without materialized definitions sends no queries for them.
    if (rollups.length === 0 && this.#counts.size === 0) return;
    const states = await store.states();
    this.#reportUndefined(states);
    const due = await Promise.all(rollups.map((one) => this.#isDue(one, states)));
    if (!due.includes(true)) return;
    await store.exclusively(async () => {
      for (const one of rollups) {
        if (this.#stopping.signal.aborted) return;
        // Another process may have refreshed it in the meantime, and a refresh can make later ones due.
        if (await this.#isDue(one, await store.states())) await this.#refresh(one);
      }
    });
  }

  /** Reports tables that are not refreshed, each one once. */
  #reportUndefined(states: ReadonlyMap<string, RollupState>): void {
    const defined = new Set(this.#rollups().map(({ rollup }) => rollup.table));
    const undefinedTables = [...states.keys()].filter((table) => !defined.has(table));
    for (const table of undefinedTables) if (!this.#undefined.has(table)) this.#parts.logger.warn({ table }, UNDEFINED);
    this.#undefined = new Set(undefinedTables);
  }

  async #isDue(one: MaterializedEndpoint, states: ReadonlyMap<string, RollupState>): Promise<boolean> {
    const failure = this.#failures.get(one.endpoint.definition.name);
    const isPaused = failure?.identity === one.rollup.identity && this.#parts.clock().getTime() < failure.again;
    if (isPaused) return false;
    return isDue(one, states, this.#parts, this.#stopping.signal);
  }

  async #refresh(one: MaterializedEndpoint): Promise<void> {
    const { endpoint, rollup } = one;
    const { logger, store, clock, onCreated } = this.#parts;
    const { name } = endpoint.definition;
    const counts = this.#counts.get(name) ?? { succeeded: 0, failed: 0, last: undefined };
    this.#counts.set(name, counts);
    const started = performance.now();
    try {
      const isNew = (await store.states()).get(rollup.table)?.definition !== rollup.identity;
      const refresh = await refreshRollup(one, this.#parts, { signal: this.#stopping.signal });
      const ms = Math.round(performance.now() - started);
      counts.succeeded += 1;
      counts.last = { state: refresh, ms };
      this.#failures.delete(name);
      logRefresh(logger, name, refresh, ms);
      if (isNew) await onCreated();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      counts.failed += 1;
      const { message } = error as Error;
      const isKnown = this.#failures.get(name)?.message === message;
      const { everyMs = RETRY_MS } = rollup.settings;
      const { identity } = rollup;
      this.#failures.set(name, { message, identity, again: clock().getTime() + Math.min(everyMs, RETRY_MS) });
      const facts = error instanceof RollupError ? { reason: message } : { err: error };
      if (!isKnown)
        logger.error({ endpoint: name, table: rollup.table, ...facts }, 'a materialized table was not refreshed');
    }
  }
}

const UNDEFINED =
  'no valid definition computes this materialized table, so its rows stay as they are, also in answers of definitions that read it: remove it';

/** The longest pause after a failed refresh. */
const RETRY_MS = 60_000;

function describeForeign(table: string): string {
  return `the database has another table ${table}; rename the definition, and so its table`;
}

function logRefresh(logger: Logger, endpoint: string, { rows, isFull }: Refresh, ms: number): void {
  logger.debug({ endpoint, rows, isFull, ms }, 'a materialized table was refreshed');
}

/** Runs work that only one process does at a time. Waits for a minute until no other process does it, then throws an Error. */
export async function waitExclusively<Result>(store: RollupStore, work: () => Promise<Result>): Promise<Result> {
  const result = await WAIT.execute(() => store.exclusively(work));
  if (result !== undefined) return result as Result;
  throw new Error('Another process refreshes materialized tables. Try again when it has ended.');
}

const WAIT = retry(
  handleWhenResult((result) => result === undefined),
  { maxAttempts: 300, backoff: new ConstantBackoff(200) },
);

/** Returns the tables in `after` of materialized definitions that have no versions, so that their changes are not noticed. */
async function findUnnoticed(endpoints: readonly Endpoint[], versions: DataVersions): Promise<readonly string[]> {
  const all = new Set(endpoints.flatMap(({ rollup }) => rollup?.settings.after ?? []));
  if (all.size === 0) return [];
  const own = new Set(endpoints.flatMap(({ rollup }) => rollup?.table ?? []));
  const { tables } = await versions.confirm();
  return [...all].filter((table) => !tables.has(table) && !own.has(table));
}

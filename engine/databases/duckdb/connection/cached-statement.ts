import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue, ResultSet } from '../../interface/database.js';
import { EngineError } from '../../interface/errors.js';
import { SYSTEM_TIMES, type Times } from '../../times.js';
import { DuckDBTypeId } from '../driver/node-api.js';
import { bind } from './binding.js';
import type { KeptPlan, ValueTable } from './kept-plan.js';
import { type MarkerRule, readMarkerRules } from './marker-rules.js';

/** How a statement runs on its connection. */
export interface Execution {
  /** Runs a statement whose values are set, and reads its result. */
  execute(statement: DuckDBPreparedStatement): Promise<ResultSet>;
  /** Stops the running statement. */
  interrupt(): void;
  /** Returns true when the caller no longer waits for the result. */
  hasStopped(): boolean;
}

/**
 * A prepared SELECT. It can run in two ways: with bound values, which DuckDB plans again at each execution, and with a
 * kept plan that reads the values from a table. The kept plan needs less time for planning, but it cannot skip parts of
 * a table by comparing their minimum and maximum with a value. The statement measures both and uses the faster one.
 */
export class CachedStatement {
  readonly #sql: string;
  readonly #statement: DuckDBPreparedStatement;
  readonly #table: ValueTable | undefined;
  readonly #rules: readonly MarkerRule[];
  readonly #clocks: Times;
  readonly #times = { bound: [] as number[], kept: [] as number[] };
  #isKeepable: boolean;
  #kept: KeptPlan | undefined;
  #columns: string | undefined;

  /** Without a table, the values are always bound. */
  constructor(
    sql: string,
    statement: DuckDBPreparedStatement,
    table: ValueTable | undefined,
    clocks: Times = SYSTEM_TIMES,
  ) {
    this.#clocks = clocks;
    this.#sql = sql;
    this.#statement = statement;
    this.#table = table;
    this.#rules = readMarkerRules(sql, markerTypesOf(statement));
    this.#isKeepable = table !== undefined && this.#rules.length > 0;
  }

  async read(values: readonly BoundValue[], execution: Execution): Promise<ResultSet> {
    this.#table?.countExecution();
    if (this.#isKeepable && this.#usesKeptPlan()) {
      const result = await this.#readKept(values, execution);
      if (result !== undefined) return result;
    }
    const started = this.#clocks.stopwatch();
    bind(this.#statement, values);
    const result = await execution.execute(this.#statement);
    if (this.#isKeepable) {
      this.#columns = JSON.stringify(result.columns);
      this.#addTime(this.#times.bound, started);
    }
    return result;
  }

  destroy(): void {
    this.#statement.destroySync();
    this.#kept?.destroy();
  }

  /** The first executions use both ways alternately. The first one binds the values, so that its columns are known. */
  #usesKeptPlan(): boolean {
    const { bound, kept } = this.#times;
    return kept.length === MEASUREMENTS || bound.length > kept.length;
  }

  /** Returns undefined if the values must be bound. */
  async #readKept(values: readonly BoundValue[], execution: Execution): Promise<ResultSet | undefined> {
    let cancelInterrupt = () => {};
    let isInterrupted = false;
    const interrupt = () => {
      isInterrupted = true;
      execution.interrupt();
    };
    try {
      if (this.#kept?.isDestroyed === true) this.#kept = undefined;
      this.#kept ??= await this.#table?.prepare(this.#sql, this.#rules, values);
      if (this.#kept?.accepts(values) !== true) return undefined;
      const started = this.#clocks.stopwatch();
      await this.#kept.write(values);
      const maxMs = MAX_SLOWDOWN * Math.min(...this.#times.bound) + GRACE_MS;
      // DuckDB drops an interrupt that arrives before the statement starts, so it is repeated.
      const startTimer = () => {
        cancelInterrupt = this.#clocks.startTimer(maxMs, () => {
          interrupt();
          startTimer();
        });
      };
      startTimer();
      const result = await execution.execute(this.#kept.statement);
      this.#addTime(this.#times.kept, started);
      // DuckDB can end an interrupted execution without an error and return only a part of its rows.
      // A different type of a column means that the types of the values have changed the meaning of the query.
      if (!isInterrupted && JSON.stringify(result.columns) === this.#columns) {
        if (!this.#isKeptPlanWorthwhile()) this.#abandonKeptPlan();
        return result;
      }
    } catch (error) {
      // The error of the statement with bound values is the one that the caller must see.
      if (error instanceof EngineError || execution.hasStopped()) throw error;
    } finally {
      cancelInterrupt();
    }
    this.#abandonKeptPlan();
    return undefined;
  }

  #addTime(times: number[], started: number): void {
    if (times.length < MEASUREMENTS) times.push(this.#clocks.stopwatch() - started);
  }

  #isKeptPlanWorthwhile(): boolean {
    const { bound, kept } = this.#times;
    return kept.length < MEASUREMENTS || Math.min(...kept) < MAX_SHARE * Math.min(...bound);
  }

  #abandonKeptPlan(): void {
    this.#isKeepable = false;
    this.#kept?.destroy();
    this.#kept = undefined;
  }
}

/**
 * A kept plan is stopped if it takes this many times as long as the plan for bound values, and then some time more. The
 * values are bound instead.
 */
const MAX_SLOWDOWN = 4;
const GRACE_MS = 100;

/** A kept plan uses memory, so it must be faster than this share of the time with bound values. */
const MAX_SHARE = 0.9;
/** The number of times that each way is measured. The fastest of some executions is independent of other work. */
const MEASUREMENTS = 3;

/** Returns the type of each marker. Must be called before the first execution. */
function markerTypesOf(statement: DuckDBPreparedStatement): DuckDBTypeId[] {
  return Array.from({ length: statement.parameterCount }, (_, index) => {
    try {
      return statement.parameterTypeId(index + 1);
    } catch {
      return DuckDBTypeId.ANY;
    }
  });
}

import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue, ResultSet } from '../../interface/database.js';
import { EngineError } from '../../interface/errors.js';
import { SYSTEM_TIMES, type Times } from '../../times.js';
import { DuckDBTypeId } from '../driver/node-api.js';
import { bind } from './binding.js';
import type { KeptPlan, ValueTable } from './kept-plan.js';
import { type MarkerRule, readMarkerRules } from './marker-rules.js';

/** Functions that run and stop a statement on its connection. */
export interface Execution {
  /** Runs a statement whose values are already set, and reads its result. */
  execute(statement: DuckDBPreparedStatement): Promise<ResultSet>;
  /** Stops the running statement. */
  interrupt(): void;
  /** Returns true when the caller no longer waits for the result. */
  hasStopped(): boolean;
}

/**
 * A prepared SELECT. It can run in two ways: with bound values, for which DuckDB creates a new plan at each execution, or with a kept plan
 * that reads the values from a table. The kept plan needs less time for planning, but it cannot skip parts of a table by comparing their
 * minimum and maximum with a value. The class measures both ways and uses the faster one.
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

  /** If `table` is undefined, the values are always bound. */
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

  /** Until both ways are measured, executions alternate between them. The first one binds the values to get the result columns. */
  #usesKeptPlan(): boolean {
    const { bound, kept } = this.#times;
    return kept.length === MEASUREMENTS || bound.length > kept.length;
  }

  /** Runs the kept plan. Returns undefined if the caller must run the statement with bound values instead. */
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
      // DuckDB ignores an interrupt that arrives before the statement starts, so the interrupt is repeated.
      const startTimer = () => {
        cancelInterrupt = this.#clocks.startTimer(maxMs, () => {
          interrupt();
          startTimer();
        });
      };
      startTimer();
      const result = await execution.execute(this.#kept.statement);
      this.#addTime(this.#times.kept, started);
      // DuckDB can end an interrupted execution without an error and return only a part of its rows. If a column has a
      // different type than with bound values, the query has a different meaning.
      if (!isInterrupted && JSON.stringify(result.columns) === this.#columns) {
        if (!this.#isKeptPlanWorthwhile()) this.#abandonKeptPlan();
        return result;
      }
    } catch (error) {
      // Other errors are ignored: the caller then runs the statement with bound values and gets the error of this run.
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
 * A kept plan is stopped after this many times the duration with bound values, plus `GRACE_MS`. The statement then runs
 * with bound values.
 */
const MAX_SLOWDOWN = 4;
const GRACE_MS = 100;

/** A kept plan uses memory, so it must take less than this share of the time with bound values. */
const MAX_SHARE = 0.9;
/** The number of measurements of each way. The fastest one is used, because other work on the machine affects it least. */
const MEASUREMENTS = 3;

/** Returns the type of each placeholder. Must be called before the first execution. */
function markerTypesOf(statement: DuckDBPreparedStatement): DuckDBTypeId[] {
  return Array.from({ length: statement.parameterCount }, (_, index) => {
    try {
      return statement.parameterTypeId(index + 1);
    } catch {
      return DuckDBTypeId.ANY;
    }
  });
}

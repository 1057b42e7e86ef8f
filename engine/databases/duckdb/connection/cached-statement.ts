import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue, ResultSet } from '../../interface/database.js';
import { EngineError } from '../../interface/errors.js';
import { SYSTEM_TIMES, type Times } from '../../times.js';
import { DuckDBTypeId } from '../driver/node-api.js';
import { bind } from './binding.js';
import { megabytesOf } from './options.js';

/** The kinds of columns in the table of bound values, see `ValueTable`, with their types. */
const COLUMN_TYPES = { text: 'VARCHAR', whole: 'BIGINT', day: 'DATE', time: 'TIMESTAMP' } as const;

type ColumnKind = keyof typeof COLUMN_TYPES;

/** Returns the kind of column that can hold a value, or undefined if the value must be bound to its placeholder. */
type MarkerRule = (value: BoundValue) => ColumnKind | undefined;

/**
 * Returns a rule for each placeholder of a statement. `types` are the types that DuckDB infers for the placeholders
 * when it prepares the statement; `INVALID` means that the type depends on the values.
 *
 * DuckDB casts a bound text to the type of the value it is compared with, but a column has a fixed type. A rule
 * therefore allows a column only if both give the same result: if all uses of the placeholder have the type of the
 * column, or if every use is an argument of a macro that treats a DATE like its text.
 */
export function readMarkerRules(sql: string, types: readonly DuckDBTypeId[]): readonly MarkerRule[] {
  return types.map((type, index) => {
    if (type !== DuckDBTypeId.INVALID) return RULES[type] ?? rejectValue;
    return hasOnlyDateMacros(sql, index + 1) ? ruleOfText(kindOfInstant) : rejectValue;
  });
}

/** Replaces each placeholder of a statement, except in quoted texts and names. */
function replaceMarkers(sql: string, replace: (number: number) => string): string {
  return sql.replace(MARKER, (token, number: string | undefined) =>
    number === undefined ? token : replace(Number(number)),
  );
}

const MARKER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const RULES: Partial<Record<DuckDBTypeId, MarkerRule>> = {
  [DuckDBTypeId.BIGINT]: (value) => (isWhole(value) ? 'whole' : undefined),
  [DuckDBTypeId.VARCHAR]: ruleOfText(() => 'text'),
  [DuckDBTypeId.DATE]: ruleOfText((value) => (DAY.test(value) ? 'day' : undefined)),
  [DuckDBTypeId.TIMESTAMP]: ruleOfText((value) => (kindOfInstant(value) === undefined ? undefined : 'time')),
};

function ruleOfText(kindOf: (value: string) => ColumnKind | undefined): MarkerRule {
  return (value) => (typeof value === 'string' ? kindOf(value) : undefined);
}

function rejectValue(): undefined {
  return undefined;
}

function kindOfInstant(value: string): ColumnKind | undefined {
  if (DAY.test(value)) return 'day';
  return TIME.test(value) ? 'time' : undefined;
}

function isWhole(value: BoundValue): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** Returns true if the placeholder is only an argument of macros that convert text and dates to the same DATE or TIMESTAMP. */
function hasOnlyDateMacros(sql: string, number: number): boolean {
  const marker = `\\$${number}\\b`;
  const count = (pattern: string) => sql.match(new RegExp(pattern, 'g'))?.length ?? 0;
  return count(`mysql\\.(?:instant|day_of)\\(${marker}\\)`) === count(marker);
}

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

/**
 * The temporary table of one connection with a single row, from which kept plans read their values. DuckDB plans a
 * statement with bound values again at each execution, but not a statement that reads the values from a table.
 */
export class ValueTable {
  readonly #connection: DuckDBConnection;
  readonly #maxPlans: number;
  /** The plans, sorted by their last use, the most recent at the end. */
  readonly #plans = new Set<KeptPlan>();
  #isCreated = false;
  #writtenBytes = 0;
  #executions = 0;

  constructor(connection: DuckDBConnection, maxPlans: number) {
    this.#connection = connection;
    this.#maxPlans = maxPlans;
  }

  /** Whether the table must be replaced, because DuckDB does not free the memory of overwritten texts. */
  get isFull(): boolean {
    return this.#writtenBytes > MAX_WRITTEN_BYTES;
  }

  /** Counts an execution of a statement that has or could have a kept plan. The count is used to find unused plans. */
  countExecution(): void {
    this.#executions += 1;
  }

  /** Drops the table. Kept plans that read it must not be used afterwards. */
  async drop(): Promise<void> {
    await this.#connection.run(`DROP TABLE ${TABLE}`);
    this.#isCreated = false;
    this.#writtenBytes = 0;
  }

  /**
   * Prepares a statement with a plan for all values of the same kinds. Returns undefined if no column can hold a value,
   * or if the connection has the maximum number of kept plans and all of them were used recently.
   */
  async prepare(
    sql: string,
    rules: readonly MarkerRule[],
    values: readonly BoundValue[],
  ): Promise<KeptPlan | undefined> {
    const kinds = rules.map((rule, index) => rule(values[index] ?? null));
    if (kinds.length > MAX_VALUES || kinds.includes(undefined) || !this.#hasPlace()) return undefined;
    if (!this.#isCreated) await this.#connection.run(CREATE_TABLE);
    this.#isCreated = true;
    const columns = kinds.map((kind, index) => `${kind}${index + 1}`);
    const statement = await this.#connection.prepare(
      replaceMarkers(sql, (number) => `(SELECT ${columns[number - 1]} FROM ${TABLE})`),
    );
    const update = await this.#connection.prepare(
      `UPDATE ${TABLE} SET ${columns.map((column, index) => `${column} = $${index + 1}`).join(', ')}`,
    );
    const plan = new KeptPlan(statement, update, rules, kinds as readonly ColumnKind[], {
      onWritten: (bytes) => {
        this.#writtenBytes += bytes;
        this.#markUsed(plan);
      },
      onDestroyed: () => this.#plans.delete(plan),
    });
    this.#markUsed(plan);
    return plan;
  }

  /** Returns true if another plan can be kept. If necessary, destroys the least recently used plan, unless its last use is too recent. */
  #hasPlace(): boolean {
    if (this.#plans.size < this.#maxPlans) return true;
    const [oldest] = this.#plans;
    if (oldest === undefined || this.#executions - oldest.usedAt <= UNUSED_EXECUTIONS) return false;
    oldest.destroy();
    return true;
  }

  #markUsed(plan: KeptPlan): void {
    plan.usedAt = this.#executions;
    this.#plans.delete(plan);
    this.#plans.add(plan);
  }
}

/**
 * Returns the number of kept plans of each connection, so that the plans of all connections use at most an eighth of the
 * memory limit: after an execution, a plan keeps its hash tables and intermediate rows, which take 1 to 5 MB. Imports in the
 * same process need the rest.
 */
export function countKeptPlans(memoryLimit: string, connections: number): number {
  const plans = Math.floor((megabytesOf(memoryLimit) * MEMORY_SHARE) / (connections * MEGABYTES_PER_PLAN));
  return Number.isNaN(plans) ? MIN_PLANS : Math.min(Math.max(plans, MIN_PLANS), MAX_PLANS);
}

interface Listener {
  onWritten(bytes: number): void;
  onDestroyed(): void;
}

/** A prepared statement without bound values, whose plan is kept. It reads the values from the table. */
export class KeptPlan {
  readonly statement: DuckDBPreparedStatement;
  /** The execution count of the connection when the plan was last used. */
  usedAt = 0;
  #isDestroyed = false;
  readonly #update: DuckDBPreparedStatement;
  readonly #rules: readonly MarkerRule[];
  readonly #kinds: readonly ColumnKind[];
  readonly #listener: Listener;

  constructor(
    statement: DuckDBPreparedStatement,
    update: DuckDBPreparedStatement,
    rules: readonly MarkerRule[],
    kinds: readonly ColumnKind[],
    listener: Listener,
  ) {
    this.statement = statement;
    this.#update = update;
    this.#rules = rules;
    this.#kinds = kinds;
    this.#listener = listener;
  }

  /** Whether the plan was destroyed, by its owner or to free its place for another plan. */
  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** Returns true if the plan can be used for these values. */
  accepts(values: readonly BoundValue[]): boolean {
    return this.#kinds.every((kind, index) => this.#rules[index]?.(values[index] ?? null) === kind);
  }

  /** Writes all values that the statement reads, so that it never reads a value of an earlier execution. */
  async write(values: readonly BoundValue[]): Promise<void> {
    bind(this.#update, values);
    this.#listener.onWritten(values.reduce<number>((sum, value) => sum + String(value).length, 0));
    await this.#update.run();
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.statement.destroySync();
    this.#update.destroySync();
    this.#listener.onDestroyed();
  }
}

/** DuckDB searches temporary tables first, so no other table may have this name. */
const TABLE = 'temp.main."repo-insight bound values"';
const MAX_VALUES = 12;
/** The limits of the number of kept plans per connection. Few services have more than `MAX_PLANS` statements that run often. */
const MIN_PLANS = 2;
const MAX_PLANS = 32;
const MEMORY_SHARE = 1 / 8;
const MEGABYTES_PER_PLAN = 4;
/** A plan can be replaced after this many executions of other statements, because preparing costs as much as several executions. */
const UNUSED_EXECUTIONS = 100;
const MAX_WRITTEN_BYTES = 1_000_000;

const CREATE_TABLE = `CREATE TEMP TABLE "repo-insight bound values" AS SELECT ${Array.from(
  { length: MAX_VALUES },
  (_, index) => Object.entries(COLUMN_TYPES).map(([kind, type]) => `NULL::${type} AS ${kind}${index + 1}`),
)
  .flat()
  .join(', ')}`;

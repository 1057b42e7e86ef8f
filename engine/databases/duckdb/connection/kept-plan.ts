import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue } from '../../interface/database.js';
import { bind } from './binding.js';
import { COLUMN_TYPES, type ColumnKind, type MarkerRule, replaceMarkers } from './marker-rules.js';

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
  const [, number = '', unit = ''] = /^([\d.]+)\s?([kmgt])/i.exec(memoryLimit) ?? [];
  const megabytes = Number(number) * (MEGABYTES[unit.toLowerCase()] ?? Number.NaN);
  const plans = Math.floor((megabytes * MEMORY_SHARE) / (connections * MEGABYTES_PER_PLAN));
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
const MEGABYTES: Readonly<Record<string, number>> = { k: 0.001, m: 1, g: 1_000, t: 1_000_000 };
/** A plan can be replaced after this many executions of other statements, because preparing costs as much as several executions. */
const UNUSED_EXECUTIONS = 100;
const MAX_WRITTEN_BYTES = 1_000_000;

const CREATE_TABLE = `CREATE TEMP TABLE "repo-insight bound values" AS SELECT ${Array.from(
  { length: MAX_VALUES },
  (_, index) => Object.entries(COLUMN_TYPES).map(([kind, type]) => `NULL::${type} AS ${kind}${index + 1}`),
)
  .flat()
  .join(', ')}`;

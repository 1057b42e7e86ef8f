import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { BoundValue } from '../../../engine/index.js';
import { bind } from './binding.js';
import { COLUMN_TYPES, type ColumnKind, type MarkerRule, replaceMarkers } from './marker-rules.js';

/**
 * The temporary table of one connection with a single row, from which kept plans read their values. DuckDB plans a
 * statement with bound values again at each execution, but not a statement that reads the values from a table.
 */
export class ValueTable {
  readonly #connection: DuckDBConnection;
  readonly #maxPlans: number;
  #isCreated = false;
  #writtenBytes = 0;
  #plans = 0;

  constructor(connection: DuckDBConnection, maxPlans = MAX_PLANS) {
    this.#connection = connection;
    this.#maxPlans = maxPlans;
  }

  /** Whether the table must be replaced: DuckDB does not free the memory of replaced texts. */
  get isFull(): boolean {
    return this.#writtenBytes > MAX_WRITTEN_BYTES;
  }

  /** Drops the table. No kept plan that reads it may be used afterwards. */
  async drop(): Promise<void> {
    await this.#connection.run(`DROP TABLE ${TABLE}`);
    this.#isCreated = false;
    this.#writtenBytes = 0;
  }

  /**
   * Prepares a statement with a plan for all values of the same kinds. Returns undefined if a value has no kind, or if
   * the connection has the maximum number of kept plans.
   */
  async prepare(
    sql: string,
    rules: readonly MarkerRule[],
    values: readonly BoundValue[],
  ): Promise<KeptPlan | undefined> {
    const kinds = rules.map((rule, index) => rule(values[index] ?? null));
    if (this.#plans >= this.#maxPlans || kinds.length > MAX_VALUES || kinds.includes(undefined)) return undefined;
    if (!this.#isCreated) await this.#connection.run(CREATE_TABLE);
    this.#isCreated = true;
    const columns = kinds.map((kind, index) => `${kind}${index + 1}`);
    const statement = await this.#connection.prepare(
      replaceMarkers(sql, (number) => `(SELECT ${columns[number - 1]} FROM ${TABLE})`),
    );
    const update = await this.#connection.prepare(
      `UPDATE ${TABLE} SET ${columns.map((column, index) => `${column} = $${index + 1}`).join(', ')}`,
    );
    this.#plans += 1;
    return new KeptPlan(statement, update, rules, kinds as readonly ColumnKind[], {
      onWritten: (bytes) => {
        this.#writtenBytes += bytes;
      },
      onDestroyed: () => {
        this.#plans -= 1;
      },
    });
  }
}

interface Listener {
  onWritten(bytes: number): void;
  onDestroyed(): void;
}

/** A prepared statement without bound values, whose plan is kept. It reads the values from the table. */
export class KeptPlan {
  readonly statement: DuckDBPreparedStatement;
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

  /** Returns true if the plan is valid for these values. */
  accepts(values: readonly BoundValue[]): boolean {
    return this.#kinds.every((kind, index) => this.#rules[index]?.(values[index] ?? null) === kind);
  }

  /** Writes every value that the statement reads. So the statement never reads a value of an earlier execution. */
  async write(values: readonly BoundValue[]): Promise<void> {
    bind(this.#update, values);
    this.#listener.onWritten(values.reduce<number>((sum, value) => sum + String(value).length, 0));
    await this.#update.run();
  }

  destroy(): void {
    this.statement.destroySync();
    this.#update.destroySync();
    this.#listener.onDestroyed();
  }
}

/** Temporary tables are searched first, so the name must not be that of another table. */
const TABLE = 'temp.main."repo-insight bound values"';
const MAX_VALUES = 12;
/**
 * The maximum number of kept plans of a connection. After an execution, a plan keeps its hash tables and intermediate rows:
 * about 4 MB of the memory limit of the database.
 */
const MAX_PLANS = 6;
const MAX_WRITTEN_BYTES = 1_000_000;

const CREATE_TABLE = `CREATE TEMP TABLE "repo-insight bound values" AS SELECT ${Array.from(
  { length: MAX_VALUES },
  (_, index) => Object.entries(COLUMN_TYPES).map(([kind, type]) => `NULL::${type} AS ${kind}${index + 1}`),
)
  .flat()
  .join(', ')}`;

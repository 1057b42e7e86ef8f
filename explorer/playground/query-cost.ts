import type { ResultSet } from '../../engine/index.js';
import { readDuckdbPlan } from './duckdb-plan.js';
import { readMysqlPlan } from './mysql-plan.js';
import { type PlanRow, type ReadPlan, UnreadablePlanError } from './plan.js';
import { SqlFailedError } from './query-failure.js';
import { readTidbPlan } from './tidb-plan.js';

/** The plan of a query and the derived cost. */
export interface QueryPlan {
  /** The steps of the plan, truncated to `MAX_PLAN_ROWS`. */
  readonly rows: readonly PlanRow[];
  /** The number of rows that the database has to read and compare, as estimated by the database. */
  readonly estimatedRows: number;
  /** Expensive queries have a separate queue, so that they do not delay cheap queries. */
  readonly lane: 'cheap' | 'expensive';
}

/** Queries with a higher estimate do not run. Sessions of MySQL and MariaDB also have this limit (`max_join_size`). */
export const MAX_ESTIMATED_ROWS = 10_000_000_000;
/** Queries with a higher estimate are expensive. Most databases read this many rows in less than a second. */
export const MAX_CHEAP_ROWS = 2_000_000;
export const MAX_PLAN_ROWS = 200;

/**
 * Parses the EXPLAIN result of a database. Throws `SqlFailedError` if the query would read too many rows, or if the plan cannot be parsed.
 */
export function readQueryPlan(database: string, result: ResultSet): QueryPlan {
  const { rows, estimatedRows } = readPlan(database, result);
  if (!(estimatedRows <= MAX_ESTIMATED_ROWS)) {
    const [limit, estimate] = [MAX_ESTIMATED_ROWS, estimatedRows].map(formatCount);
    throw new SqlFailedError(
      `The query would read about ${estimate} rows; at most ${limit} are allowed: join on equal columns, or select fewer rows.`,
      new RangeError(`The estimate is ${estimatedRows} rows.`),
    );
  }
  return {
    rows: rows.slice(0, MAX_PLAN_ROWS),
    estimatedRows: Math.ceil(estimatedRows),
    lane: estimatedRows > MAX_CHEAP_ROWS ? 'expensive' : 'cheap',
  };
}

/** The parsers of plans, by the name of the database. */
const READERS: Readonly<Record<string, (result: ResultSet) => ReadPlan>> = {
  duckdb: readDuckdbPlan,
  mariadb: readMysqlPlan,
  mysql: readMysqlPlan,
  tidb: readTidbPlan,
};

function readPlan(database: string, result: ResultSet): ReadPlan {
  try {
    const read = READERS[database];
    if (read === undefined) throw new UnreadablePlanError(`There is no reader for plans of ${database}.`);
    if (result.more) throw new UnreadablePlanError(`The plan has more than ${result.rows.length} rows.`);
    return read(result);
  } catch (error) {
    if (!(error instanceof UnreadablePlanError)) throw error;
    throw new SqlFailedError(
      'The query does not run, because the plan of the database does not state its cost.',
      error,
    );
  }
}

function formatCount(count: number): string {
  return count < 1e15 ? Math.ceil(count).toLocaleString('en-US') : count.toExponential(1);
}

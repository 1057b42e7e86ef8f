import type { Cell, ResultSet } from '../../engine/index.js';
import { readDuckdbPlan } from './duckdb-plan.js';
import {
  countExaminedRows,
  namedRows,
  type PlanRow,
  type PlanStep,
  type ReadPlan,
  readEstimate,
  shortened,
  UnreadablePlanError,
} from './plan.js';
import { SqlFailedError } from './query-failure.js';

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

/**
 * Parses the EXPLAIN result of MySQL or MariaDB. Throws `UnreadablePlanError`.
 *
 * The rows with the same id are the tables of one SELECT, which reads them in this order, in nested loops. A dependent subquery runs once
 * for each row of an outer SELECT. The result does not state which outer SELECT this is, so this function assumes the largest.
 */
function readMysqlPlan(result: ResultSet): ReadPlan {
  const tables = namedRows(result).filter((cells) => !COMBINED.test(String(cells.get('select_type'))));
  if (tables.length === 0) throw new UnreadablePlanError('The plan of the server has no tables.');
  const selects = [...readSelects(tables).values()];
  const largest = Math.max(1, ...selects.filter(({ isRepeated }) => !isRepeated).map(({ examined }) => examined));
  const estimatedRows = selects.reduce(
    (sum, { examined, isRepeated }) => sum + (isRepeated ? examined * largest : examined),
    0,
  );
  return { rows: tables.map(toRow), estimatedRows };
}

interface Select {
  /** The number of rows that one run of the SELECT reads. */
  readonly examined: number;
  /** The number of rows that reach the next table. */
  readonly joined: number;
  /** Whether the SELECT runs once for each row of another SELECT. */
  readonly isRepeated: boolean;
}

/** The results of set operations, such as `UNION RESULT`. The rows of these steps have no estimate. */
const COMBINED = / RESULT$/;
/** Matches the kinds of SELECT that run once for each row of another SELECT. */
const REPEATED = /DEPENDENT|UNCACHEABLE|LATERAL/;

function readSelects(tables: readonly ReadonlyMap<string, Cell>[]): ReadonlyMap<string, Select> {
  const selects = new Map<string, Select>();
  for (const cells of tables) {
    const id = cells.get('id');
    const type = cells.get('select_type');
    if (id == null || typeof type !== 'string') {
      throw new UnreadablePlanError('The plan of the server has a row without id or select_type.');
    }
    const { examined, joined } = selects.get(String(id)) ?? { examined: 0, joined: 1 };
    const rows = joined * readRows(cells);
    const share = readEstimate(cells.get('filtered') ?? 100) / 100;
    // At least 1: an estimate of less than one row must not hide the rows of the next tables.
    const next = Math.max(1, rows * share);
    selects.set(String(id), { examined: examined + rows, joined: next, isRepeated: REPEATED.test(type) });
  }
  return selects;
}

/** Returns the number of rows that are read per row of the previous tables. A SELECT without a table reads no rows. */
function readRows(cells: ReadonlyMap<string, Cell>): number {
  if (cells.get('table') == null && cells.get('rows') == null && cells.get('Extra') != null) return 0;
  return readEstimate(cells.get('rows'));
}

/** Omits the columns that contain the name of the schema. */
function toRow(cells: ReadonlyMap<string, Cell>): PlanRow {
  const text = (name: string) => (cells.get(name) == null ? null : shortened(String(cells.get(name))));
  const rows = cells.get('rows');
  return {
    id: Number(cells.get('id')),
    operator: text('select_type'),
    table: text('table'),
    access: text('type'),
    key: text('key'),
    estimatedRows: rows == null ? null : Number(rows),
    details: text('Extra'),
  };
}

/** Parses the EXPLAIN result of TiDB. Throws `UnreadablePlanError`. */
function readTidbPlan(result: ResultSet): ReadPlan {
  const operators = namedRows(result).map(readOperator);
  // A table of WITH is a separate tree after the tree of the query.
  const roots = operators.flatMap(({ depth }, index) => (depth === 0 ? [toStep(operators, index)] : []));
  if (roots.length === 0 || operators[0]?.depth !== 0) throw new UnreadablePlanError('The plan of TiDB has no root.');
  const estimatedRows = roots.reduce((sum, root) => sum + countExaminedRows(root), 0);
  return { rows: operators.map(({ row }) => row), estimatedRows };
}

interface Operator {
  readonly depth: number;
  readonly estimate: number;
  readonly info: string;
  readonly row: PlanRow;
}

function readOperator(cells: ReadonlyMap<string, Cell>): Operator {
  const id = String(cells.get('id'));
  const name = id.search(/[A-Za-z]/);
  if (name < 0) throw new UnreadablePlanError(`An operator in the plan of TiDB has the id ${JSON.stringify(id)}.`);
  const estimate = readEstimate(cells.get('estRows'));
  const info = String(cells.get('operator info') ?? '');
  const place = String(cells.get('access object') ?? '');
  const row = {
    operator: id,
    estimatedRows: estimate,
    table: shortened(withoutSchema(place)),
    details: shortened(withoutSchema(info)),
  };
  // In the text, each level adds two characters, such as `└─`, before the name.
  return { depth: name / 2, estimate, info, row };
}

function toStep(operators: readonly Operator[], index: number): PlanStep {
  const { depth = 0, estimate = 0, info = '' } = operators[index] ?? {};
  const rest = operators.slice(index + 1);
  const end = rest.findIndex((one) => one.depth <= depth);
  const below = end < 0 ? rest : rest.slice(0, end);
  const inputs = below.flatMap((one, at) => (one.depth === depth + 1 ? [toStep(operators, index + 1 + at)] : []));
  return { outputRows: estimate, comparesAllPairs: info.startsWith('CARTESIAN'), inputs };
}

/** Removes the name of the schema before `table.column`, because users must not see it. */
function withoutSchema(text: string): string {
  return text.replaceAll(/[\w$-]+\.(\w+\.\w+)/g, '$1');
}

import type { Cell, ResultSet } from '../../engine/index.js';
import { namedRows, type PlanRow, type ReadPlan, readEstimate, shortened, UnreadablePlanError } from './plan.js';

/**
 * Parses the EXPLAIN result of MySQL or MariaDB. Throws `UnreadablePlanError`.
 *
 * The rows with the same id are the tables of one SELECT, which reads them in this order, in nested loops. A dependent subquery runs once
 * for each row of an outer SELECT. The result does not state which outer SELECT this is, so this function assumes the largest.
 */
export function readMysqlPlan(result: ResultSet): ReadPlan {
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

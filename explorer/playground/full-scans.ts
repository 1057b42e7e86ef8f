import type { FindScans, FullScan } from '../../engine/authoring/index.js';
import type { Database, ResultSet } from '../../engine/index.js';
import { type DuckdbOperator, ESTIMATE, readDuckdbOperators } from './duckdb-plan.js';
import { namedRows, readEstimate, UnreadablePlanError } from './plan.js';
import { MAX_CHEAP_ROWS } from './query-cost.js';

/** Creates the function that finds the tables from which a query reads at least `least` rows. The query is not run. */
export function createScanFinder(database: Database, signal?: AbortSignal, least = MAX_CHEAP_ROWS): FindScans {
  return async ({ sql, values }) => {
    const options = { maxRows: MAX_STEPS, timeoutMs: TIMEOUT_MS, forProgram: true, ...(signal && { signal }) };
    return readFullScans(database.name, await database.explain(database.prepare(sql), values, options), least);
  };
}

const MAX_STEPS = 1_000;
const TIMEOUT_MS = 10_000;

/**
 * Returns the tables from which a plan reads at least `least` rows that no index finds. Returns an empty list if the plan cannot be parsed.
 */
export function readFullScans(database: string, plan: ResultSet, least: number): FullScan[] {
  try {
    return scansIn(database, plan).filter(({ rows }) => rows >= least);
  } catch (error) {
    if (error instanceof UnreadablePlanError) return [];
    throw error;
  }
}

function scansIn(database: string, plan: ResultSet): FullScan[] {
  if (database === 'duckdb') return readDuckdbOperators(plan).flatMap(duckdbScans);
  return namedRows(plan).flatMap((cells) => (database === 'tidb' ? tidbScan(cells) : mysqlScan(cells)));
}

/**
 * Returns the scans of an operator and its inputs. In DuckDB, every access to a table is a scan. The estimate counts the rows after the
 * filters of the scan. Two cases do not count as full scans: a LIMIT ends a scan early, and a join that returns few rows skips parts of its
 * first input.
 */
function duckdbScans(operator: DuckdbOperator): FullScan[] {
  const { name, info, children } = operator;
  if (name === 'SEQ_SCAN') return [{ table: String(info.Table).replace(/^.*\./s, ''), rows: estimateOf(operator) }];
  const isShort = (child: DuckdbOperator, index: number) => {
    if (name === 'LIMIT' || name === 'STREAMING_LIMIT') return isScan(child);
    if (name !== 'HASH_JOIN' || index > 0 || !isScan(child)) return false;
    return SKIPPING.test(String(info['Join Type'])) && estimateOf(operator) < estimateOf(child) / 10;
  };
  return children.flatMap((child, index) => (isShort(child, index) ? [] : duckdbScans(child)));
}

const SKIPPING = /^(INNER|SEMI|RIGHT)/;

function isScan({ name, children }: DuckdbOperator): boolean {
  const [only] = children;
  return name === 'SEQ_SCAN' || (/^(PROJECTION|FILTER)$/.test(name) && only !== undefined && isScan(only));
}

function estimateOf({ info }: DuckdbOperator): number {
  return info[ESTIMATE] === undefined ? 0 : readEstimate(info[ESTIMATE]);
}

/**
 * The access type `ALL` reads the whole table, and `index` reads a whole index. Names such as `<derived2>` are results of other SELECTs and
 * not tables.
 */
function mysqlScan(cells: ReadonlyMap<string, unknown>): FullScan[] {
  const [table, access, rows] = ['table', 'type', 'rows'].map((name) => cells.get(name));
  if ((access !== 'ALL' && access !== 'index') || typeof table !== 'string' || table.startsWith('<')) return [];
  return [{ table, rows: readEstimate(rows) }];
}

function tidbScan(cells: ReadonlyMap<string, unknown>): FullScan[] {
  if (!/(Table|Index)FullScan/.test(String(cells.get('id')))) return [];
  const table = /table:([^,\s]+)/.exec(String(cells.get('access object')))?.[1] ?? '';
  return [{ table, rows: readEstimate(cells.get('estRows')) }];
}

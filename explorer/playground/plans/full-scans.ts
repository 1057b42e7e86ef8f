import type { FullScan, ResultSet } from '../../../engine/index.js';
import { MAX_CHEAP_ROWS } from '../query-cost.js';
import { type DuckdbOperator, ESTIMATE, readDuckdbOperators } from './duckdb-plan.js';
import { namedRows, readEstimate, UnreadablePlanError } from './plan.js';

/**
 * Returns the tables of which a query reads many rows, by its plan: at least `MAX_CHEAP_ROWS` without an index that finds
 * them. Returns an empty list for a plan that cannot be read.
 */
export function readFullScans(database: string, plan: ResultSet): FullScan[] {
  try {
    return scansIn(database, plan).filter(({ rows }) => rows >= MAX_CHEAP_ROWS);
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
 * Returns the scans of an operator and its inputs. Every access of DuckDB is a scan. The estimate counts the rows after
 * the filters of the scan. A join that returns few rows skips the parts of its first input without matching values, and
 * a LIMIT ends the scan.
 */
function duckdbScans({ name, info, children }: DuckdbOperator): FullScan[] {
  const estimate = info[ESTIMATE] === undefined ? 0 : readEstimate(info[ESTIMATE]);
  if (name === 'STREAMING_LIMIT' || name === 'LIMIT')
    return children.flatMap((child) => (isScan(child) ? [] : duckdbScans(child)));
  if (name === 'SEQ_SCAN') {
    const table =
      String(info.Table ?? '')
        .split('.')
        .at(-1) ?? '';
    return [{ table, rows: estimate }];
  }
  const isSelective =
    name === 'HASH_JOIN' && estimate < MAX_CHEAP_ROWS / 10 && SKIPPING.test(String(info['Join Type']));
  return children.flatMap((child, index) => (isSelective && index === 0 && isScan(child) ? [] : duckdbScans(child)));
}

const SKIPPING = /^(INNER|SEMI|RIGHT)/;

function isScan({ name, children }: DuckdbOperator): boolean {
  const [only] = children;
  return name === 'SEQ_SCAN' || ((name === 'PROJECTION' || name === 'FILTER') && only !== undefined && isScan(only));
}

/** `ALL` reads the table, and `index` reads a whole index. Names such as `<derived2>` are results of other SELECTs. */
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

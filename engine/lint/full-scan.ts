import type { ParameterValue } from '../definition/definition.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { ResultSet } from '../interface/database.js';
import { EngineError } from '../interface/errors.js';
import type { Engine } from '../run/engine.js';
import { baseValues } from '../verify/cases.js';
import { variantValues } from '../verify/variant-values.js';
import { deduplicateWarnings, type Warning } from './warning.js';

/** A table of which a query reads many rows. `table` can be its alias. */
export interface FullScan {
  readonly table: string;
  /** As the database estimates it. */
  readonly rows: number;
}

export interface ScanOptions {
  /** Finds the full scans of large tables in the plan of a database. */
  readonly readScans: (database: string, plan: ResultSet) => readonly FullScan[];
  /** Base values that replace those of the definition. */
  readonly values?: Readonly<Record<string, ParameterValue>>;
  readonly signal?: AbortSignal;
}

/** Explains every variant of the SQL, and returns a warning for each full scan of a large table. No query runs. */
export async function findFullScans(engine: Engine, endpoint: Endpoint, options: ScanOptions): Promise<Warning[]> {
  const { readScans, values, signal } = options;
  if (Object.hasOwn(endpoint.definition.lint, 'full-scan')) return [];
  const base = baseValues(endpoint, values);
  const warnings: Warning[] = [];
  for (const { choices } of endpoint.query.texts) {
    signal?.throwIfAborted();
    const variant = variantValues(endpoint, base, choices);
    if ('missing' in variant) continue;
    try {
      const { database, columns, rows } = await engine.explain(endpoint, variant.raw, signal ? { signal } : {});
      warnings.push(...readScans(database, { columns, rows, more: false }).map((scan) => warningOf(endpoint, scan)));
    } catch (error) {
      // The verification reports why a variant cannot run.
      if (!(error instanceof EngineError)) throw error;
    }
  }
  return deduplicateWarnings(warnings);
}

function warningOf({ query }: Endpoint, { table, rows }: FullScan): Warning {
  const message = `The database reads about ${Math.round(rows).toLocaleString('en-US')} rows of ${table} for each request`;
  return {
    ...query.problem(message, `'${table}'`),
    rule: 'full-scan',
    fix: 'filter by columns with an index, read a derived table instead, or silence this rule with the reason under lint',
  };
}

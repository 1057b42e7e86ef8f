import type { ParameterValue } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { deduplicateWarnings, type Warning } from '../../definitions/lint/warning.js';
import type { CompiledQuery } from '../../definitions/query/compiled-query.js';
import { baseValues } from './cases.js';
import { variantValues } from './variant-values.js';

/** A table with many rows that a query reads. `table` can be its alias. */
export interface FullScan {
  readonly table: string;
  /** The number of rows that the database estimates. */
  readonly rows: number;
}

/** Finds the full scans of large tables in the plan of a query. */
export type FindScans = (query: CompiledQuery) => Promise<readonly FullScan[]>;

export interface ScanOptions {
  readonly findScans: FindScans;
  readonly clock: () => Date;
  /** Parameter values that replace the base values of the definition. */
  readonly values?: Readonly<Record<string, ParameterValue>>;
}

/** Examines the query plan of every SQL variant. Returns one warning for each large table that a variant reads completely. */
export async function findFullScans(endpoint: Endpoint, { findScans, clock, values }: ScanOptions): Promise<Warning[]> {
  if (Object.hasOwn(endpoint.definition.lint, 'full-scan')) return [];
  const base = baseValues(endpoint, values);
  const warnings: Warning[] = [];
  for (const { choices } of endpoint.query.texts) {
    const variant = variantValues(endpoint, base, choices);
    if ('missing' in variant) continue;
    const scans = await findScans(endpoint.query.compile(endpoint.readParameters(variant.raw), clock()));
    warnings.push(...scans.map((scan) => warningOf(endpoint, scan)));
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

import type { ParameterDefinition, ParameterValue } from '../definition/definition.js';
import type { Database, ResultColumn } from '../interface/database.js';
import { createCompiler, NO_ENDING } from '../query/compiled-query.js';
import type { Query } from '../query/query.js';
import type { Variant } from '../template/template-variants.js';

const TIMEOUT_MS = 10_000;

/** The columns of one variant of a query. */
export interface VariantColumns {
  readonly choices: Variant['choices'];
  readonly columns: readonly ResultColumn[];
}

/**
 * Asks the database for the columns of every variant of a query, without reading rows. Rejects with the error of the database if it
 * cannot run the query. `Database.describe` knows no values of parameters, so the type of a column that contains one would be a guess:
 * this query has values of their types.
 */
export async function readColumns(
  database: Database,
  { variants }: Query,
  params: Readonly<Record<string, ParameterDefinition>>,
  signal: AbortSignal | undefined,
): Promise<VariantColumns[]> {
  const samples = Object.fromEntries(Object.entries(params).map(([name, definition]) => [name, sampleOf(definition)]));
  const compile = createCompiler(variants, NO_ENDING);
  const read: VariantColumns[] = [];
  for (const { choices } of variants.all) {
    // For a list, a choice is only whether the list is present.
    const chosen = Object.entries(choices).map(([name, choice]) => {
      const isList = params[name]?.type === 'array' && choice !== null;
      return [name, isList ? (samples[name] ?? null) : choice] as const;
    });
    const compiled = compile({ ...samples, ...Object.fromEntries(chosen) }, SAMPLE_TIME);
    const query = database.prepare(`SELECT * FROM (\n${compiled.sql}\n) AS imported LIMIT 0`);
    const { columns } = await database.query(query, compiled.values, { maxRows: 1, timeoutMs: TIMEOUT_MS, signal });
    read.push({ choices, columns });
  }
  return read;
}

const SAMPLE_TIME = new Date('2020-01-01T00:00:00Z');

/** Returns a value of the type of a parameter. No rows are read, so the value need not exist in the data. */
function sampleOf(definition: ParameterDefinition): ParameterValue {
  const { default: fallback, enum: choices, type, format, minimum = 1, items } = definition;
  if (fallback !== undefined) return fallback;
  if (choices?.[0] !== undefined) return choices[0];
  if (type === 'array') return [sampleOf({ ...(items as ParameterDefinition) }) as string | number];
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return true;
  return format === 'date' ? '2020-01-01' : 'a';
}

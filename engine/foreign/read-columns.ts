import type { ParameterDefinition, ParameterValue } from '../definition/definition.js';
import type { Database, ResultColumn } from '../interface/database.js';
import { createCompiler, NO_ENDING } from '../query/compiled-query.js';
import type { Query } from '../query/query.js';

const TIMEOUT_MS = 10_000;

/**
 * Asks the database for the columns of a query, without reading rows. The first variant of the query is used. Rejects with the
 * error of the database if it cannot run the query.
 */
export async function readColumns(
  database: Database,
  { variants }: Query,
  params: Readonly<Record<string, ParameterDefinition>>,
  signal: AbortSignal | undefined,
): Promise<readonly ResultColumn[]> {
  const values = Object.fromEntries(Object.entries(params).map(([name, definition]) => [name, sampleOf(definition)]));
  const compiled = createCompiler(variants, NO_ENDING)(values, new Date(SAMPLE_TIME));
  const query = database.prepare(`SELECT * FROM (\n${compiled.sql}\n) AS imported LIMIT 0`);
  const { columns } = await database.query(query, compiled.values, { maxRows: 1, timeoutMs: TIMEOUT_MS, signal });
  return columns;
}

const SAMPLE_TIME = '2020-01-01T00:00:00Z';

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

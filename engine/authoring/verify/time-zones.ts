import type { Database } from '../../databases/interface/database.js';
import { type Endpoint, type EndpointQuery, queriesOf } from '../../definitions/endpoint/endpoint.js';
import { deduplicateWarnings, type Warning } from '../../definitions/lint/warning.js';
import { writeTraced } from '../../definitions/query/traced-text.js';
import { analyzeQuery, type KnownFacts } from '../../sql/analysis/analyze-query.js';
import { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { stringValue } from '../../sql/duckdb/tree/literals.js';
import { children } from '../../sql/reading/tree.js';

/** Finds names of time zones in CONVERT_TZ that the database does not know. For them, CONVERT_TZ returns NULL. */
export async function findUnknownTimeZones(
  endpoint: Endpoint,
  database: Database,
  signal?: AbortSignal,
): Promise<Warning[]> {
  if (Object.hasOwn(endpoint.definition.lint, 'unknown-time-zone')) return [];
  const warnings: Warning[] = [];
  for (const query of queriesOf(endpoint)) {
    for (const zone of zonesIn(query)) {
      const limits = { maxRows: 1, timeoutMs: 10_000, ...(signal && { signal }) };
      const { rows } = await database.query(database.prepare(CONVERSION), [zone], limits);
      if (rows[0]?.[0] === null) warnings.push(warningOf(query, zone));
    }
  }
  return deduplicateWarnings(warnings);
}

const NO_FACTS: KnownFacts = { tables: () => undefined, markers: () => 'unknown' };
const CONVERSION = "SELECT CONVERT_TZ('2024-01-01 12:00:00', :p1, '+00:00') AS converted";

/** Returns the names of time zones in a query, without offsets such as `+02:00`. */
function zonesIn({ variants }: EndpointQuery): Set<string> {
  const zones = variants.flatMap(({ pieces }) => {
    const { selects = [] } = analyzeQuery(writeTraced(pieces, () => 1).sql, NO_FACTS) ?? {};
    const calls = selects.flatMap((scope) => new ScopeNodes(scope).of('function'));
    const conversions = calls.filter(({ fields }) => String(fields.name).toUpperCase() === 'CONVERT_TZ');
    return conversions.flatMap((call) => children(call, 'args').slice(1).map(stringValue));
  });
  return new Set(zones.filter((zone) => zone !== undefined && !/^[+-]\d/.test(zone)) as string[]);
}

function warningOf({ problem }: EndpointQuery, zone: string): Warning {
  return {
    ...problem(`The database does not know the time zone ${zone}, so CONVERT_TZ returns NULL`, `'${zone}'`),
    rule: 'unknown-time-zone',
    fix: "load the time zone tables of the server with mysql_tzinfo_to_sql, or write an offset such as '+02:00'",
  };
}

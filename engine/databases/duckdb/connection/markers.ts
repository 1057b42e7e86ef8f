import type { BoundValue } from '../../interface/database.js';

/** Replaces the placeholders `:p1`, `:p2`, … of a statement by `$1`, `$2`, …, the placeholders of DuckDB. */
export function toDuckdbMarkers(sql: string): string {
  return sql.replace(/:p(\d+)/g, '$$$1');
}

/**
 * Adds a cast to each placeholder `$1`, `$2`, … whose value is a text with a date or a time. A placeholder can be
 * compared with columns of several types, so DuckDB cannot infer the type.
 */
export function castDateMarkers(sql: string, values: readonly BoundValue[]): string {
  return sql.replace(/\$(\d+)\b/g, (marker, number: string) => {
    const value = values[Number(number) - 1];
    if (typeof value !== 'string') return marker;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return `${marker}::DATE`;
    return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${marker}::TIMESTAMP` : marker;
  });
}

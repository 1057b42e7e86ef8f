import type { BoundValue } from '../../interface/database.js';

/** Replaces the markers `:p1`, `:p2`, … of a statement by `$1`, `$2`, …, the markers of DuckDB. */
export function toDuckdbMarkers(sql: string): string {
  return sql.replace(/:p(\d+)/g, '$$$1');
}

/**
 * Adds a cast to each marker `$1`, `$2`, … whose value is a text that holds a date or a time. One marker may be compared with
 * columns of several types, so DuckDB cannot find the type itself.
 */
export function castDateMarkers(sql: string, values: readonly BoundValue[]): string {
  return sql.replace(/\$(\d+)\b/g, (marker, number: string) => {
    const value = values[Number(number) - 1];
    if (typeof value !== 'string') return marker;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return `${marker}::DATE`;
    return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${marker}::TIMESTAMP` : marker;
  });
}

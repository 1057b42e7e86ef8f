import type { BoundValue } from '../../../engine/index.js';

/** A marker may meet values of several types, so DuckDB is told which of the texts are days and which are times. */
export function told(sql: string, values: readonly BoundValue[]): string {
  return sql.replace(/\$(\d+)\b/g, (marker, number: string) => {
    const value = values[Number(number) - 1];
    if (typeof value !== 'string') return marker;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return `${marker}::DATE`;
    return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${marker}::TIMESTAMP` : marker;
  });
}

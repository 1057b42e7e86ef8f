import type { ChartField } from '../charts/result-column.js';
import type { ColumnDefinition } from './definition.js';

/** Returns the columns of a result, and how readers see them. */
export function columnFields(columns: readonly ColumnDefinition[]): readonly ChartField[] {
  return columns.map(columnField);
}

export function columnField({ col, data_type, label, unit, format, null_as }: ColumnDefinition): ChartField {
  return {
    name: col,
    columnType: data_type,
    ...(label !== undefined && { label }),
    ...(unit !== undefined && { unit }),
    ...(format !== undefined && { format }),
    ...(null_as !== undefined && { nullAs: null_as }),
  };
}

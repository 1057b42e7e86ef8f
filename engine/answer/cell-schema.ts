import type { ColumnDefinition } from '../definition/definition.js';
import { FRACTIONS, INTEGERS } from './cells.js';

type Schema = Record<string, unknown>;

/** JSON Schema of a cell as `textWriter` writes it: always text, empty where a nullable cell is missing. */
export function textCellSchema({ nullable, description, ...column }: ColumnDefinition): Schema {
  const pattern = textPattern(column);
  if (pattern === undefined) return { type: 'string', description };
  return { type: 'string', description, pattern: nullable ? `^(${pattern})?$` : `^${pattern}$` };
}

/** JSON Schema of a cell as `nativeWriter` writes it. */
export function nativeCellSchema({ data_type, nullable, description }: ColumnDefinition): Schema {
  const types = INTEGERS.has(data_type)
    ? data_type.endsWith('BIGINT')
      ? ['integer', 'string']
      : ['integer']
    : data_type === 'DECIMAL'
      ? ['number', 'string']
      : [FRACTIONS.has(data_type) ? 'number' : 'string'];
  const all = nullable ? [...types, 'null'] : types;
  return { type: all.length === 1 ? all[0] : all, description };
}

function textPattern({ data_type, scale }: Pick<ColumnDefinition, 'data_type' | 'scale'>): string | undefined {
  if (INTEGERS.has(data_type)) return '-?\\d+';
  if (data_type === 'DECIMAL' && scale !== undefined) return scale === 0 ? '-?\\d+' : `-?\\d+\\.\\d{${scale}}`;
  if (FRACTIONS.has(data_type)) return '-?\\d+(\\.\\d+)?(e[+-]\\d+)?';
  if (data_type === 'DATE') return '\\d{4}-\\d\\d-\\d\\d';
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') return '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
  return undefined;
}

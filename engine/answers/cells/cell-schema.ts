import { INTEGERS } from '../../databases/interface/data-types.js';
import type { ColumnDefinition } from '../../definitions/definition.js';
import { FRACTIONS } from './cells.js';

type Schema = Record<string, unknown>;

/** Returns the JSON Schema of a text cell, see `createTextWriter`: always a string, which is empty for NULL. */
export function createTextCellSchema({ nullable, description, ...column }: ColumnDefinition): Schema {
  const pattern = textPattern(column);
  if (pattern === undefined) return { type: 'string', description };
  return { type: 'string', description, pattern: nullable ? `^(${pattern})?$` : `^${pattern}$` };
}

/**
 * Returns the JSON Schema of a native cell, see `createNativeWriter`. A schema with two types has a title, so that the
 * API description defines it once and refers to it by this title.
 */
export function createNativeCellSchema({ data_type, nullable, description }: ColumnDefinition): Schema {
  const exact = EXACT[data_type];
  if (exact !== undefined) {
    const title = `${exact.title}${nullable ? 'OrNull' : ''}`;
    return { description, allOf: [{ ...exact, title, type: nullable ? [...exact.type, 'null'] : exact.type }] };
  }
  const type = INTEGERS.has(data_type) ? 'integer' : FRACTIONS.has(data_type) ? 'number' : 'string';
  return { type: nullable ? [type, 'null'] : type, description };
}

const WHOLE_NUMBER = {
  title: 'WholeNumber',
  description: 'A number up to 2^53; a text with all digits beyond that.',
  type: ['integer', 'string'],
};

/** Types with values that a JSON number cannot represent exactly. */
const EXACT: Readonly<Partial<Record<ColumnDefinition['data_type'], typeof WHOLE_NUMBER>>> = {
  BIGINT: WHOLE_NUMBER,
  'UNSIGNED BIGINT': WHOLE_NUMBER,
  DECIMAL: {
    title: 'DecimalNumber',
    description: 'A number with up to 15 digits; a text with all digits beyond that.',
    type: ['number', 'string'],
  },
};

function textPattern({ data_type, scale }: Pick<ColumnDefinition, 'data_type' | 'scale'>): string | undefined {
  if (INTEGERS.has(data_type)) return '-?\\d+';
  if (data_type === 'DECIMAL' && scale !== undefined) return scale === 0 ? '-?\\d+' : `-?\\d+\\.\\d{${scale}}`;
  if (FRACTIONS.has(data_type)) return '-?\\d+(\\.\\d+)?(e[+-]\\d+)?';
  if (data_type === 'DATE') return '\\d{4}-\\d\\d-\\d\\d';
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') return '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
  return undefined;
}

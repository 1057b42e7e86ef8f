import type { ItemDefinition } from '../../definitions/definition.js';
import type { ComparedLiterals } from '../../sql/outline/compared-literals.js';
import { type ColumnMeaning, valuesIn } from './table-meaning.js';

/** The column of a table that a literal is compared with. */
export interface Origin {
  readonly table: string;
  readonly column: string;
  readonly meaning: ColumnMeaning;
}

/** The decision about a literal: it becomes a parameter, or it stays for a reason. */
export type Decision =
  | { readonly reason: string }
  | {
      readonly name: string;
      readonly schema: ItemDefinition;
      /** Whether the value identifies one object, so that the parameter belongs in the path. */
      readonly isKey: boolean;
      /** The value of the parameter if it differs from the value of the literal. */
      readonly text?: string;
      /** A sentence for the description of the parameter. */
      readonly hint?: string;
      /** Returns the SQL that replaces the literal. */
      write(name: string): string;
    };

/**
 * Decides whether a literal becomes a parameter. A literal stays if it selects a kind of rows (a column with few values, a flag, 0 and 1)
 * or excludes rows, or if no parameter can replace it. If the author named a parameter for it (`named`), only the last reason counts.
 */
export function decideLiteral(
  compared: ComparedLiterals,
  origin: Origin | undefined,
  named: string | undefined,
): Decision {
  const { comparison } = compared;
  if (named === undefined) {
    const reason = constantReason(compared, origin);
    if (reason !== undefined) return { reason };
  }
  if (comparison === 'LIKE') return decideLike(compared);
  const schema = schemaOf(compared, origin, named !== undefined);
  if ('reason' in schema) return schema;
  const { text, ...item } = schema;
  const isDate = item.format === 'date';
  return {
    name: nameOf(compared, isDate),
    schema: item,
    isKey: isKey(compared),
    ...(text !== undefined && { text }),
    ...(isDate && { hint: 'A day in UTC.' }),
    write: (name) => `{{ ${name} }}`,
  };
}

const KIND_NAMES =
  /^(type|kind|action|state|status|event|public|category|level)$|_(type|kind|status|state)$|^(is|has|can)_/i;
const FLAG_TYPES = /^(TINYINT|BOOLEAN|BIT|ENUM|SET)/;

function constantReason(
  { comparison, literals, column, call }: ComparedLiterals,
  origin: Origin | undefined,
): string | undefined {
  const name = column?.name ?? '';
  if (comparison === '<>' || comparison === 'NOT IN') return 'it excludes rows';
  const isList = comparison === 'IN';
  const values = literals.map(({ value }) => value);
  if (values.includes('')) return 'an empty text is not a value of a caller';
  if (isList) return undefined;
  const isFlag = origin !== undefined && FLAG_TYPES.test(origin.meaning.type);
  if (comparison === '=' && call === undefined && (isFlag || KIND_NAMES.test(name)))
    return `\`${name}\` has few values`;
  const isKnown = origin !== undefined && valuesIn(origin.meaning).includes(String(values[0]));
  if (comparison === '=' && isKnown && !isKeyName(name)) return `\`${name}\` has few values`;
  if ((values[0] === 0 || values[0] === 1) && !isKeyName(name)) return '0 and 1 usually select a kind of rows';
  return undefined;
}

/** Whether a literal is a key that can be a segment of a path. A text with a slash would be two segments. */
function isKey({ comparison, column, call, literals }: ComparedLiterals): boolean {
  const isSegment = literals.every(({ value }) => !String(value).includes('/'));
  return comparison === '=' && call === undefined && isSegment && isKeyName(column?.name ?? '');
}

/** Whether a column name is that of a key, such as an id or a name. */
function isKeyName(name: string): boolean {
  return /(^|_)(id|uuid|name|login|key|code|slug|number|day)$/i.test(name);
}

function decideLike({ literals, column }: ComparedLiterals): Decision {
  const [, start = '', text = '', end = ''] = /^(%?)([^%_\\]+)(%?)$/s.exec(String(literals[0]?.value)) ?? [];
  if (text === '') return { reason: 'its pattern is not one text between wildcards' };
  const place = start === '' ? (end === '' ? 'equals' : 'starts with') : end === '' ? 'ends with' : 'contains';
  return {
    name: toName(column?.name ?? 'text'),
    schema: { type: 'string', maxLength: Math.max(100, text.length) },
    isKey: false,
    text,
    hint: `Text that \`${column?.name ?? 'the text'}\` ${place}; \`%\` and \`_\` are wildcards.`,
    write: (name) => {
      const parts = [start && `'%'`, `{{ ${name} }}`, end && `'%'`].filter((part) => part !== '');
      return parts.length === 1 ? (parts[0] ?? '') : `CONCAT(${parts.join(', ')})`;
    },
  };
}

type Schema = (ItemDefinition & { readonly text?: string }) | { readonly reason: string };

function schemaOf(
  { comparison, literals, call }: ComparedLiterals,
  origin: Origin | undefined,
  isForced: boolean,
): Schema {
  const values = literals.map(({ value }) => value);
  const type = call === undefined || call === 'LOWER' || call === 'UPPER' ? origin?.meaning.type : undefined;
  if (values.every((value) => typeof value === 'number')) return numberSchema(literals, type);
  if (!values.every((value) => typeof value === 'string')) return { reason: 'the list mixes texts and numbers' };
  const isTime =
    type === undefined ? call === 'DATE' || call === undefined : /^(DATE|TIME|DATETIME|TIMESTAMP)/.test(type);
  const days = values.map((value) => dayOf(value));
  if (isTime && days.every((day) => day !== undefined)) {
    const [day] = days;
    return { type: 'string', format: 'date', ...(values.length === 1 && day !== values[0] && { text: day ?? '' }) };
  }
  if (type !== undefined && isTime) return { reason: 'a parameter can be a day, not a time of a day' };
  if (type !== undefined && /INT|DECIMAL|DOUBLE|FLOAT|REAL|NUMERIC/.test(type))
    return { reason: 'it is a text compared with a number' };
  if (/^[<>]/.test(comparison) && comparison !== '<>') return { reason: 'it is a bound of texts' };
  // A description that lists examples does not contain all values.
  const isComplete = origin !== undefined && !/\bfor example\b/.test(origin.meaning.description ?? '');
  const known = isComplete ? valuesIn(origin.meaning) : [];
  const isEnum =
    (isForced || comparison === 'IN') && known.length > 1 && values.every((value) => known.includes(value));
  if (isEnum) return { type: 'string', enum: [...new Set(known)] };
  const length = Number(/CHAR\((\d+)\)/.exec(type ?? '')?.[1] ?? 255);
  return { type: 'string', maxLength: Math.min(Math.max(length, ...values.map((value) => value.length)), 10_000) };
}

function numberSchema(literals: ComparedLiterals['literals'], type: string | undefined): Schema {
  const isInteger = literals.every(({ text }) => /^-?\d+$/.test(text));
  if (isInteger && literals.some(({ value }) => !Number.isSafeInteger(value)))
    return { reason: 'a parameter cannot be an integer above 2^53' };
  if (literals.some(({ value }) => !Number.isFinite(value))) return { reason: 'it is not a finite number' };
  const isWhole = isInteger && !/^(DECIMAL|DOUBLE|FLOAT|NUMERIC)/.test(type ?? '');
  return { type: isWhole ? 'integer' : 'number' };
}

/** Returns the day of a text that is a day, or the start of a day; undefined for other texts. */
function dayOf(value: string): string | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})(?:[ T]00:00:00(?:\.0+)?)?$/.exec(value)?.[1];
  if (day === undefined || day < '1000') return undefined;
  const time = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== day ? undefined : day;
}

const DATE_NAMES: Partial<Record<ComparedLiterals['comparison'], string>> = {
  '>=': 'from',
  '>': 'after',
  '<=': 'to',
  '<': 'before',
};
const BOUND_NAMES: Partial<Record<ComparedLiterals['comparison'], string>> = {
  '>=': 'min',
  '>': 'above',
  '<=': 'max',
  '<': 'below',
};
/** Functions whose result has another meaning than their column, so that the parameter is named after the function. */
const RESULT_NAMES = /^(COUNT|SUM|AVG|YEAR|MONTH|DAY|HOUR|WEEK|QUARTER|CHAR_LENGTH|LENGTH)$/;

function nameOf({ comparison, column, call }: ComparedLiterals, isDate: boolean): string {
  const base = toName(call !== undefined && RESULT_NAMES.test(call) ? call : (column?.name ?? 'value'));
  if (isDate && DATE_NAMES[comparison] !== undefined) return DATE_NAMES[comparison];
  if (comparison === 'IN') return toPlural(base);
  if (comparison === 'NOT IN') return `excluded_${toPlural(base)}`;
  if (comparison === '<>') return `excluded_${base}`;
  const bound = BOUND_NAMES[comparison];
  return bound === undefined ? base : `${bound}_${base}`;
}

/** Converts an SQL name to a parameter name. */
function toName(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return words === '' ? 'value' : words;
}

function toPlural(name: string): string {
  if (/s$/.test(name)) return name;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

import { DATA_TYPES } from '../../databases/interface/data-types.js';
import { type ConversionLog, type DeclaredColumn, placeIn, type SqlSource } from './conversion.js';
import { convertDefault, type TypeKeys } from './parameter-types.js';

/** A comment line above a query: its text without the comment sign, and its offset in the file. */
export interface HeaderLine {
  readonly text: string;
  readonly at: number;
}

export interface HeaderParameter {
  /** The name of the parameter in the foreign file. */
  readonly name: string;
  readonly at: number;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** The declarations in the comment lines at the start of a query. */
export interface SqlHeader {
  readonly values: ReadonlyMap<string, HeaderLine>;
  readonly params: readonly HeaderParameter[];
  readonly columns: readonly DeclaredColumn[];
  /** The comment lines that declare nothing. */
  readonly description: string;
}

const VALUE_KEYS = ['path', 'summary', 'description', 'tag', 'rows', 'timeout', 'page_size'];
const OPTIONS = [
  'default',
  'example',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'notAfter',
];
const TYPES: Readonly<Record<string, TypeKeys>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  number: { type: 'number' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
};

/** Parses header lines: `-- key: value`, `-- param name type …` and `-- column name type …`. */
export function readSqlHeader(lines: readonly HeaderLine[], source: SqlSource, log: ConversionLog): SqlHeader {
  const values = new Map<string, HeaderLine>();
  const params: HeaderParameter[] = [];
  const columns: DeclaredColumn[] = [];
  const rest: string[] = [];
  for (const line of lines) {
    const place = placeIn(source, line.at);
    const [, word = '', value = ''] = /^(\w+)\s*:\s*(.*)$/.exec(line.text) ?? [];
    const [, kind, declaration = ''] = /^(param|column)(?:\s*:\s*|\s+)(.*)$/.exec(line.text) ?? [];
    if (kind === 'param') {
      const param = readParameter(declaration, (message, facts) => {
        log.reject(place, 'param', message, facts);
      });
      if (param !== undefined) params.push({ ...param, at: line.at });
    } else if (kind === 'column') {
      const column = readColumn(declaration, (message, facts) => {
        log.reject(place, 'column', message, facts);
      });
      if (column !== undefined) columns.push(column);
    } else if (VALUE_KEYS.includes(word)) {
      if (values.has(word)) log.reject(place, word, `the key "${word}" is written twice`);
      else values.set(word, { text: value.trim(), at: line.at });
    } else {
      if (word !== '') log.change(place, word, 'unknown key: the line is a part of the description');
      rest.push(line.text);
    }
  }
  return { values, params, columns, description: rest.join('\n').trim() };
}

type Reject = (message: string, facts?: { readonly expected?: string; readonly got?: string }) => void;

/** Parses a parameter declaration such as `oven string required maxLength 40 "Name of the oven"`. */
function readParameter(text: string, reject: Reject): Omit<HeaderParameter, 'at'> | undefined {
  const [, name = '', typeText = '', rest = ''] =
    /^(\w+)\s+(enum\s*\([^)]*\)(?:\[\])?|\w+(?:\[\])?)(.*)$/.exec(text) ?? [];
  const type = typeOf(typeText);
  if (type === undefined) {
    const expected = `name, type (${Object.keys(TYPES).join(', ')}, enum(a, b), or a type with [])`;
    reject('this declaration of a parameter cannot be read', { expected, got: JSON.stringify(text) });
    return undefined;
  }
  const options = readOptions(rest, type, reject);
  if (options === undefined) return undefined;
  const { description = name, ...others } = options;
  return { name, definition: { in: 'query', ...type, ...others, description } };
}

function typeOf(text: string): TypeKeys | undefined {
  const isList = text.endsWith('[]');
  const base = isList ? text.slice(0, -2) : text;
  const [, values] = /^enum\s*\((.*)\)$/.exec(base) ?? [];
  const items = values === undefined ? undefined : values.split(',').map((value) => unquote(value.trim()));
  const areNumbers = items?.every((value) => /^-?(0|[1-9]\d*)$/.test(value)) === true;
  const ofEnum = areNumbers ? { type: 'integer', enum: items?.map(Number) } : { type: 'string', enum: items };
  const type = items === undefined ? TYPES[base.toLowerCase()] : ofEnum;
  return isList && type !== undefined ? { type: 'array', items: type, maxItems: DEFAULT_ITEMS } : type;
}

/** The maximum number of items of a list without `maxItems`. */
const DEFAULT_ITEMS = 100;

function readOptions(text: string, type: TypeKeys, reject: Reject): Readonly<Record<string, unknown>> | undefined {
  const words = text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const options: Record<string, unknown> = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word.startsWith('"') && word.endsWith('"') && word.length > 1) options.description = unquote(word);
    else if (word === 'required') options.required = true;
    else if (OPTIONS.includes(word) && words[index + 1] !== undefined) {
      index += 1;
      options[word] = optionValue(word, unquote(words[index] ?? ''), type);
    } else {
      reject('unknown option of a parameter', {
        expected: `required, ${OPTIONS.join(', ')} or "description"`,
        got: word,
      });
      return undefined;
    }
  }
  return options;
}

function optionValue(option: string, value: string, type: TypeKeys): unknown {
  if (option === 'pattern' || option === 'notAfter') return value;
  if (option !== 'default' && option !== 'example') return Number(value);
  if (type.type !== 'array') return convertDefault(value, type.type);
  const { type: item } = type.items as TypeKeys;
  return value.split(',').map((part) => convertDefault(part.trim(), item));
}

/** Parses a column declaration such as `weight DECIMAL not null "Kilograms"`. */
function readColumn(text: string, reject: Reject): DeclaredColumn | undefined {
  const pattern = /^(\w+)\s+((?:unsigned\s+)?\w+)(\s+not\s+null)?(?:\s+"((?:[^"\\]|\\.)*)")?$/i;
  const [, name = '', type = '', notNull, description] = pattern.exec(text.trim()) ?? [];
  const known = DATA_TYPES.find((one) => one === type.toUpperCase().replaceAll(/\s+/g, ' '));
  if (known === undefined) {
    reject('this declaration of a column cannot be read', {
      expected: 'name TYPE not null "description"',
      got: JSON.stringify(text),
    });
    return undefined;
  }
  return { name, type: known, nullable: notNull === undefined, ...(description && { description }) };
}

function unquote(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text;
}

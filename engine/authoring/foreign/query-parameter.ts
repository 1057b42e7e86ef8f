import type { ConversionLog, ConvertedParameter } from './conversion.js';
import type { DocumentFields } from './document-fields.js';
import { reportName, toParameterName } from './names.js';
import { convertDefault, exampleOfList, LIMIT_TYPE, type TypeKeys, typeOfPattern } from './parameter-types.js';
import type { SqlNode } from './template/sql-nodes.js';
import type { ParameterRole, PlaceholderUse } from './template/template-text.js';

/** An entry of `params` in a `params.json`. */
export interface QueryParameter {
  readonly fields: DocumentFields;
  /** The name of the parameter in the foreign file. */
  readonly name: string;
  /** The text in the SQL that the foreign service replaces by the value; undefined in Liquid templates. */
  readonly replaces: string | undefined;
  /** The SQL fragment that each value selects. */
  readonly fragments: ReadonlyMap<string, readonly SqlNode[]> | undefined;
}

export interface TypedParameter extends ConvertedParameter {
  readonly role: ParameterRole;
}

/** The maximum number of items of a list if the file does not set one: the default of the foreign format. */
const MAX_ITEMS = 10;
const SCALAR_TYPES = ['string', 'number', 'integer', 'boolean'];
const KEYS = [
  'name',
  'replaces',
  'description',
  'type',
  'itemType',
  'maxArrayLength',
  'column',
  'dateRangeTo',
  'template',
  'default',
  'enums',
  'pattern',
];

/** Converts a parameter. `uses` states where the SQL contains its text. Returns undefined if the type is not supported. */
export function convertQueryParameter(
  parameter: QueryParameter,
  uses: ReadonlySet<PlaceholderUse>,
  log: ConversionLog,
): TypedParameter | undefined {
  const { fields, name: foreignName, fragments } = parameter;
  fields.reportUnknown(KEYS);
  for (const key of ['column', 'dateRangeTo']) {
    if (fields.has(key)) fields.change(key, 'dropped: it controls the stored answers of the other service');
  }
  const name = toParameterName(foreignName);
  reportName(log, fields.place('name'), 'name', foreignName, name);
  const typed = typeOf(parameter, name, uses);
  if (typed === undefined) return undefined;
  const { type, role } = typed;
  const presence = presenceOf(fields, type);
  const definition = {
    in: 'query',
    ...type,
    ...presence,
    description: fields.text('description') ?? foreignName,
    ...exampleOf(parameter, type, presence),
  };
  if (!fields.has('description')) fields.change('name', 'no description: the name is the description');
  return { definition, place: fields.place(), role: { ...role, name, ...(fragments && { fragments }) } };
}

interface Typed {
  readonly type: TypeKeys;
  readonly role: Omit<ParameterRole, 'name'>;
}

function typeOf(parameter: QueryParameter, name: string, uses: ReadonlySet<PlaceholderUse>): Typed | undefined {
  const { fields, fragments } = parameter;
  const type = fields.text('type');
  if (type !== undefined && type !== 'array' && !SCALAR_TYPES.includes(type)) {
    fields.reject('type', 'unsupported type of parameter', {
      expected: `${SCALAR_TYPES.join(', ')} or array`,
      got: JSON.stringify(type),
    });
    return undefined;
  }
  const values = enumOf(fields, fragments);
  if (type === 'array') return listType(parameter, name, values, uses);
  if (values !== undefined) return enumType(fields, values, fragments !== undefined, type);
  return scalarType(parameter, name, type, uses);
}

/** Returns the allowed values: the keys of `template`, or the list `enums`. */
function enumOf(fields: DocumentFields, fragments: QueryParameter['fragments']): readonly string[] | undefined {
  if (fragments !== undefined) return [...fragments.keys()];
  if (!fields.has('enums')) return undefined;
  if (!Array.isArray(fields.scalarOrList('enums'))) {
    fields.change('enums', 'dropped: it names a list of the other service, so any value is accepted');
    return undefined;
  }
  return (fields.list('enums') ?? []).map(String);
}

function enumType(
  fields: DocumentFields,
  values: readonly string[],
  isTemplate: boolean,
  type: string | undefined,
): Typed {
  if (fields.has('pattern')) fields.change('pattern', 'dropped: the enum already limits the values');
  const areNumbers = !isTemplate && type !== 'string' && values.every((value) => /^-?(0|[1-9]\d*)$/.test(value));
  const choices = areNumbers ? values.map(Number) : values;
  return { type: { type: areNumbers ? 'integer' : 'string', enum: choices }, role: { choices, isText: !areNumbers } };
}

function scalarType(
  { fields, replaces }: QueryParameter,
  name: string,
  type: string | undefined,
  uses: ReadonlySet<PlaceholderUse>,
): Typed {
  const pattern = fields.text('pattern');
  if (uses.has('limit') && (type === undefined || type === 'number' || type === 'integer')) {
    fields.change('name', `${name} is after LIMIT or OFFSET: it is now an integer from 0`);
    return { type: LIMIT_TYPE, role: {} };
  }
  if (type !== undefined && type !== 'string') {
    if (pattern !== undefined && type !== 'boolean') reportPattern(fields, type);
    return { type: { type }, role: {} };
  }
  const isQuoted = !uses.has('value') && !uses.has('name');
  const matched = pattern === undefined ? undefined : typeOfPattern(pattern);
  if (matched !== undefined && (matched.format === 'date' || (!isQuoted && type === undefined))) {
    fields.change('pattern', `the pattern is now ${describeType(matched)}`);
    return { type: matched, role: {} };
  }
  const text: Typed = { type: { type: 'string', ...(pattern !== undefined && { pattern }) }, role: {} };
  if (isQuoted) return text;
  if (isQuotedText(replaces)) {
    fields.change('replaces', 'the replaced text includes its quotes: the value is bound as text');
    return text;
  }
  const number = numberOf(fields, replaces);
  if (type === undefined && pattern === undefined && number !== undefined) return number;
  const unsafe = `the text of ${name} would become SQL here: add quotes, a number as type, or enums`;
  return { type: text.type, role: { unsafe } };
}

function isQuotedText(text: string | undefined): boolean {
  return /^'[^']*'$|^"[^"]*"$/.test(text ?? '');
}

/** Returns the type of a parameter whose default or placeholder is a number. */
function numberOf(fields: DocumentFields, replaces: string | undefined): Typed | undefined {
  const fallback = fields.has('default') ? fields.scalar('default') : undefined;
  const [key, sample] = typeof fallback === 'number' ? ['default', fallback] : ['replaces', replaces];
  if (sample === undefined || !/^-?\d+(\.\d+)?$/.test(String(sample))) return undefined;
  const type = Number.isInteger(Number(sample)) ? 'integer' : 'number';
  fields.change(key as string, `no type: it is now ${type}, as ${key} is a number`);
  return { type: { type }, role: {} };
}

function listType(
  { fields }: QueryParameter,
  name: string,
  values: readonly string[] | undefined,
  uses: ReadonlySet<PlaceholderUse>,
): Typed {
  const pattern = fields.text('pattern');
  const matched = pattern === undefined ? undefined : typeOfPattern(pattern);
  const itemType = fields.text('itemType');
  const areNumbers = values?.every((value) => /^-?\d+$/.test(value)) === true;
  let items: TypeKeys = { type: itemType ?? 'string', ...(pattern !== undefined && { pattern }) };
  if (values !== undefined) {
    items = areNumbers ? { type: 'integer', enum: values.map(Number) } : { type: 'string', enum: values };
  }
  if (values === undefined && (itemType === 'integer' || itemType === 'number')) items = { type: itemType };
  if (values === undefined && itemType === undefined && matched !== undefined) {
    fields.change('pattern', `the pattern is now ${describeType(matched)}`);
    items = matched;
  }
  const length = fields.number('maxArrayLength');
  if (length === undefined) fields.change('type', `no maxArrayLength: the list has at most ${MAX_ITEMS} items`);
  const isText =
    items.type === 'string' && items.format === undefined && itemType === undefined && !uses.has('literal');
  const unsafe = `the texts of the list ${name} would become SQL here: add itemType, or a pattern of numbers`;
  return {
    type: { type: 'array', items, maxItems: length ?? MAX_ITEMS },
    role: { isList: true, ...(isText && values === undefined && { unsafe }) },
  };
}

/** Returns `required` or `default`. In the foreign format, a parameter without a default is required. */
function presenceOf(fields: DocumentFields, type: TypeKeys): TypeKeys {
  if (!fields.has('default')) return { required: true };
  if (type.type === 'array') {
    const { type: item } = type.items as TypeKeys;
    const values = [fields.scalarOrList('default') ?? ''].flat().filter((value) => value !== '');
    if (values.length > 0) return { default: values.map((value) => convertDefault(value as string | number, item)) };
    fields.change('default', 'an empty list is now an absent list, for which {% if %} is false');
    return {};
  }
  return { default: convertDefault(fields.scalar('default') ?? '', type.type) };
}

/** Returns the key `example`: the replaced text, because it is often a valid value. */
function exampleOf({ fields, replaces }: QueryParameter, typeKeys: TypeKeys, presence: TypeKeys): TypeKeys {
  const { type, format } = typeKeys;
  if (type === 'array') return presence.default === undefined ? exampleOfList(typeKeys, fields.text('replaces')) : {};
  const sample = replaces?.replaceAll(/^'|'$/g, '') ?? '';
  if (type === 'integer' && /^\d+$/.test(sample)) return { example: Number(sample) };
  return format === 'date' && /^\d{4}-\d\d-\d\d$/.test(sample) ? { example: sample } : {};
}

function reportPattern(fields: DocumentFields, type: string): void {
  fields.change('pattern', `dropped: a pattern does not apply to ${type}`);
}

function describeType({ type, format, minimum, maximum }: TypeKeys): string {
  if (format === 'date') return 'format: date, so the day must exist';
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
  ];
  return [`type ${type}`, ...bounds].join(' ');
}

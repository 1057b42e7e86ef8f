import type { ConversionLog, ConvertedParameter } from './conversion.js';
import type { DocumentFields } from './document-fields.js';
import { reportName, toParameterName } from './names.js';
import { convertDefault, exampleOfList, LIMIT_TYPE, type TypeKeys } from './parameter-types.js';
import type { ParameterRole, PlaceholderUse } from './template/template-text.js';

export interface ServiceParameter extends ConvertedParameter {
  /** The name of the parameter in the foreign file. */
  readonly foreignName: string;
  readonly role: ParameterRole;
}

const KEYS = ['name', 'type', 'required', 'default', 'description', 'enum', 'item_type'];
const SCALAR_TYPES = ['string', 'number', 'integer', 'boolean'];
/** The maximum number of items of a list. The foreign format has no limit. */
const MAX_ITEMS = 100;

/** Converts an entry of `params`. Returns undefined if the parameter is not supported or not used. */
export function convertServiceParameter(
  fields: DocumentFields,
  uses: ReadonlyMap<string, ReadonlySet<PlaceholderUse>>,
  path: string,
  log: ConversionLog,
): ServiceParameter | undefined {
  fields.reportUnknown(KEYS);
  const foreignName = fields.text('name') ?? '';
  if (foreignName === '') {
    fields.reject('name', 'the parameter has no name');
    return undefined;
  }
  const places = new Set(uses.get(foreignName));
  places.delete('comment');
  if (places.size === 0) {
    fields.change('name', `${foreignName} is dropped: the SQL does not use it`);
    return undefined;
  }
  const name = toParameterName(foreignName);
  reportName(log, fields.place('name'), 'name', foreignName, name);
  const type = typeOf(fields, name, places);
  if (type === undefined) return undefined;
  const isInPath = path.includes(`{${foreignName}}`);
  const presence = isInPath ? {} : presenceOf(fields, name, type, places);
  const definition = {
    in: isInPath ? 'path' : 'query',
    ...type,
    ...presence,
    description: fields.text('description') || foreignName,
    ...(type.type === 'array' && presence.default === undefined && exampleOfList(type)),
  };
  if ((fields.text('description') ?? '') === '') fields.change('name', 'no description: the name is the description');
  const isList = type.type === 'array';
  const choices = type.enum as readonly (string | number)[] | undefined;
  return { foreignName, definition, place: fields.place(), role: { name, isList, ...(choices && { choices }) } };
}

function typeOf(fields: DocumentFields, name: string, uses: ReadonlySet<PlaceholderUse>): TypeKeys | undefined {
  const type = (fields.text('type') ?? 'string').toLowerCase();
  if (type === 'array') {
    const item = (fields.text('item_type') ?? '').toLowerCase();
    if (!['string', 'number', 'integer'].includes(item)) {
      fields.reject('item_type', 'unsupported type of items', {
        expected: 'string, number or integer',
        got: item || 'nothing',
      });
      return undefined;
    }
    fields.change('type', `the list has at most ${MAX_ITEMS} items`);
    return { type, items: { type: item }, maxItems: MAX_ITEMS };
  }
  if (!SCALAR_TYPES.includes(type)) {
    fields.reject('type', 'unsupported type of parameter', {
      expected: `${SCALAR_TYPES.join(', ')} or array`,
      got: type,
    });
    return undefined;
  }
  const values = enumOf(fields);
  if (values.length > 0) return { type, enum: values.map((value) => convertDefault(value, type)) };
  if (!uses.has('limit')) return { type };
  fields.change('type', `${name} is after LIMIT or OFFSET: it is now an integer from 0`);
  return LIMIT_TYPE;
}

/** Returns the allowed values, which the file contains as a list or as a text with commas. */
function enumOf(fields: DocumentFields): string[] {
  if (!fields.has('enum')) return [];
  const value = fields.scalarOrList('enum');
  const values = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
  return values.map((text) => text.trim()).filter((text) => text !== '');
}

function presenceOf(fields: DocumentFields, name: string, type: TypeKeys, uses: ReadonlySet<PlaceholderUse>): TypeKeys {
  const isRequired = fields.flag('required') === true;
  const given = type.type === 'array' ? fields.scalarOrList('default') : fields.scalar('default');
  const isEmpty = given === undefined || given === '' || (Array.isArray(given) && given.length === 0);
  if (isRequired) {
    if (!isEmpty) fields.change('default', 'dropped: a required parameter has no default');
    return { required: true };
  }
  if (isEmpty && uses.has('limit')) {
    fields.change('name', `${name} is after LIMIT or OFFSET and has no default: it is now required`);
    return { required: true };
  }
  if (isEmpty) {
    fields.change('name', `${name} has no default: without a value it is NULL`);
    return {};
  }
  if (type.type === 'array') {
    const { type: item } = type.items as TypeKeys;
    const values = Array.isArray(given) ? given : String(given).split(',');
    return { default: values.map((value) => convertDefault(String(value).trim(), item)) };
  }
  return { default: convertDefault(given as string | number | boolean, type.type) };
}

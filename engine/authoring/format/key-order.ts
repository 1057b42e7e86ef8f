import { endpointSchema, readSharedSchema, type Schema } from '../../definitions/definition-shape.js';
import { isSharedFile } from '../../definitions/shared-file.js';

/** Returns the known keys of the mapping at a path of a file, in their standard order. Returns an empty list where any key is allowed. */
export type KeyOrder = (path: readonly (string | number)[]) => readonly string[];

/** Creates the order of keys for a definition or a file of shared parts: the order of the properties in the JSON Schema. */
export function createKeyOrder(file: string): KeyOrder {
  const root = isSharedFile(file) ? readSharedSchema() : endpointSchema;
  return (path) => {
    const schema = path.reduce<Schema | undefined>((outer, step) => inner(outer, step), root);
    return Object.keys((resolve(schema)?.properties ?? {}) as object);
  };
}

/** Sorts keys: the known ones in their order, then the unknown ones in the order of the file. */
export function sortKeys<T>(items: readonly T[], keyOf: (item: T) => string, order: readonly string[]): T[] {
  const placeOf = (item: T) => {
    const place = order.indexOf(keyOf(item));
    return place < 0 ? order.length : place;
  };
  return items
    .map((item, index) => ({ item, index }))
    .sort((one, other) => placeOf(one.item) - placeOf(other.item) || one.index - other.index)
    .map(({ item }) => item);
}

/** Returns the schema of the value at a key or an index. */
function inner(outer: Schema | undefined, step: string | number): Schema | undefined {
  const schema = resolve(outer);
  if (schema === undefined) return undefined;
  if (typeof step === 'number') return schemaIn(schema, 'items');
  const properties = (schema.properties ?? {}) as Schema;
  return schemaIn(properties, step) ?? schemaIn(schema, 'additionalProperties');
}

/** Resolves references. A value with two forms, such as a column or a reference to a shared column, has the schema of the longer form. */
function resolve(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  const { $ref: reference, allOf, else: longer } = schema;
  if (typeof reference === 'string') {
    const definitions = endpointSchema.definitions as Schema;
    return resolve(schemaIn(definitions, reference.replace(/^.*#\/definitions\//, '')));
  }
  if (Array.isArray(allOf)) return resolve(allOf[0] as Schema);
  return longer === undefined ? schema : resolve(longer as Schema);
}

function schemaIn(owner: Schema, key: string): Schema | undefined {
  const found = Object.hasOwn(owner, key) ? owner[key] : undefined;
  return typeof found === 'object' && found !== null ? (found as Schema) : undefined;
}

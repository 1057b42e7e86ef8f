import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './answer-check.js';
import { requiredBeside } from './described-requests.js';

/** Generates values that a schema allows. Values at the limits of the schema are frequent. */
export function allowedValue(schema: Schema): Arbitrary<unknown> {
  const { type, enum: values, const: only, default: usual, examples } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  const known = [usual, ...((examples as unknown[] | undefined) ?? [])].filter((value) => value !== undefined);
  const made = ofType(Array.isArray(type) ? type[0] : type, schema);
  return known.length === 0
    ? made
    : fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...known) }, { weight: 3, arbitrary: made });
}

function ofType(type: unknown, schema: Schema): Arbitrary<unknown> {
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return numbers(schema);
    case 'array':
      return fc.array(allowedValue((schema.items ?? {}) as Schema), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Number(schema.maxItems ?? 4),
      });
    case 'object':
      return objects(schema);
    default:
      return schema.format === 'date' ? days() : texts(schema);
  }
}

function integers({ minimum, maximum }: Schema): Arbitrary<number> {
  const [min, max] = [Number(minimum ?? -9), Number(maximum ?? Number.MAX_SAFE_INTEGER)];
  return fc.oneof(
    fc.constantFrom(min, max, Math.min(max, Math.max(min, 1))),
    fc.maxSafeInteger().map((n) => Math.min(max, Math.max(min, n))),
  );
}

function numbers({ minimum, maximum }: Schema): Arbitrary<number> {
  const [min, max] = [Number(minimum ?? -1e300), Number(maximum ?? 1e300)];
  return fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true, noDefaultInfinity: true }));
}

/** Generates any day that the databases support. */
function days(): Arbitrary<string> {
  const [min, max] = [new Date('1000-01-01'), new Date('9999-12-31')];
  const any = fc.date({ min, max, noInvalidDate: true });
  return fc.oneof(fc.constantFrom(min, max), any).map((date) => date.toISOString().slice(0, 10));
}

/**
 * Generates texts without unpaired surrogates, which UTF-8 cannot encode, and without the path segments `.` and `..`.
 */
function texts({ minLength, maxLength, pattern }: Schema): Arbitrary<string> {
  const [min, max] = [Number(minLength ?? 0), Number(maxLength ?? 255)];
  const matches = (text: string) => pattern === undefined || new RegExp(String(pattern), 'u').test(text);
  const filled = (...letters: string[]) => letters.flatMap((it) => [it.repeat(min), it.repeat(max)]).filter(matches);
  const free = fc.string({ unit: 'grapheme', minLength: min, maxLength: max });
  const made = pattern === undefined || matches('aß😀') ? free : fc.stringMatching(new RegExp(String(pattern), 'u'));
  const bounds = filled('a', 'ß', '😀', '%').filter((text) => text !== '');
  return (
    bounds.length === 0
      ? made
      : fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...bounds) }, { weight: 3, arbitrary: made })
  )
    .filter((text) => [...text].length <= max && [...text].length >= min)
    .filter((text) => matches(text) && !/[\uD800-\uDFFF]/u.test(text) && text !== '.' && text !== '..');
}

function objects({ properties = {}, required = [] }: Schema): Arbitrary<Record<string, unknown>> {
  const schemas = properties as Readonly<Record<string, Schema>>;
  const members = Object.entries(schemas).map(([name, schema]) => [name, allowedValue(schema)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required as string[] }).map((made) => {
    const isAlone = (name: string) => requiredBeside(schemas[name] ?? {}).some((other) => !(other in made));
    return Object.fromEntries(Object.entries(made).filter(([name]) => !isAlone(name)));
  });
}

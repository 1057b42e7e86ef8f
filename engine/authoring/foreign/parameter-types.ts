/** The type of a parameter and its limits, as keys of definition files. */
export type TypeKeys = Readonly<Record<string, unknown>>;

/** Returns the type that replaces a frequent pattern; undefined for other patterns. */
export function typeOfPattern(pattern: string): TypeKeys | undefined {
  const normal = pattern.replaceAll('[0-9]', '\\d');
  if (DAY_PATTERNS.includes(normal)) return { type: 'string', format: 'date' };
  const known = NUMBER_PATTERNS[normal];
  if (known !== undefined) return { type: 'integer', ...known };
  const [, least, most = least] = /^\^\\d\{(\d),?(\d)?\}\$$/.exec(normal) ?? [];
  if (most === undefined || normal.includes(',}')) return undefined;
  return { type: 'integer', minimum: 0, maximum: 10 ** Number(most) - 1 };
}

/** Converts a default value to the type of its parameter. Returns the value unchanged if it does not fit. */
export function convertDefault(value: string | number | boolean, type: unknown): string | number | boolean {
  if (type === 'string') return String(value);
  const text = String(value).trim();
  if (type === 'boolean') return /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : value;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
}

/**
 * Returns the key `example` of a list, for tests. `sample` is the text that the list replaces, which is often a valid
 * value. Returns no key if the limits of the items already give an example, or if the items must match a pattern.
 */
export function exampleOfList({ items, maxItems }: TypeKeys, sample = ''): TypeKeys {
  const { type, format, pattern, enum: values, minimum, maximum } = items as TypeKeys;
  if (values !== undefined || pattern !== undefined) return {};
  const given = sample
    .replaceAll(/^\s*\(|\)\s*$/g, '')
    .split(',')
    .map((text) => convertDefault(text.trim().replaceAll(/^['"]|['"]$/g, ''), type))
    .filter((value) =>
      type === 'string' ? isExampleText(String(value), format) : isExampleNumber(value, items as TypeKeys),
    )
    .slice(0, Number(maxItems));
  if (given.length > 0) return { example: given };
  if (minimum !== undefined || maximum !== undefined) return {};
  return { example: [type === 'string' ? (format === 'date' ? '2024-01-01' : 'example') : 1] };
}

function isExampleText(text: string, format: unknown): boolean {
  return format === 'date' ? /^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/.test(text) : text.trim() !== '';
}

function isExampleNumber(value: unknown, { type, minimum, maximum }: TypeKeys): boolean {
  if (typeof value !== 'number' || (type === 'integer' && !Number.isSafeInteger(value))) return false;
  return value >= Number(minimum ?? value) && value <= Number(maximum ?? value);
}

/** The type of values for LIMIT and OFFSET, which must not be negative. */
export const LIMIT_TYPE: TypeKeys = { type: 'integer', minimum: 0 };

const DAY_PATTERNS = ['^\\d{4}-\\d{2}-\\d{2}$', '^\\d{4}-\\d\\d-\\d\\d$', '^\\d\\d\\d\\d-\\d\\d-\\d\\d$'];

const NUMBER_PATTERNS: Readonly<Record<string, { readonly minimum?: number }>> = {
  '^[1-9]\\d*$': { minimum: 1 },
  '^\\d+$': { minimum: 0 },
  '^(0|[1-9]\\d*)$': { minimum: 0 },
  '^-?\\d+$': {},
};

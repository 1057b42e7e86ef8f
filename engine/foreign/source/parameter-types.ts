/** The type of a parameter and its limits, in the terms of definition files. */
export type TypeKeys = Readonly<Record<string, unknown>>;

/** Returns the type of texts that match a frequent pattern; undefined for other patterns. */
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

/** LIMIT and OFFSET take an integer that is not negative. */
export const LIMIT_TYPE: TypeKeys = { type: 'integer', minimum: 0 };

const DAY_PATTERNS = ['^\\d{4}-\\d{2}-\\d{2}$', '^\\d{4}-\\d\\d-\\d\\d$', '^\\d\\d\\d\\d-\\d\\d-\\d\\d$'];

const NUMBER_PATTERNS: Readonly<Record<string, { readonly minimum?: number }>> = {
  '^[1-9]\\d*$': { minimum: 1 },
  '^\\d+$': { minimum: 0 },
  '^(0|[1-9]\\d*)$': { minimum: 0 },
  '^-?\\d+$': {},
};

import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
import { isQuotient } from './hidden-digits.js';
import type { Call, Piece } from './pieces.js';

/** Returns the arguments of a call. */
export function argumentsOf({ group }: Call): readonly (readonly Piece[])[] {
  const list: Piece[][] = [[]];
  for (const piece of group.items) {
    if (piece.kind === 'sign' && piece.text === ',') list.push([]);
    else list.at(-1)?.push(piece);
  }
  return list;
}

type Arguments = readonly (readonly Piece[])[];
type Write = (argument: readonly Piece[], index: number) => string;

/**
 * Rewrites of functions that TiDB does not have or evaluates differently from MySQL. A rewrite returns undefined if the
 * call can stay unchanged.
 */
export const FUNCTIONS: Readonly<Record<string, (args: Arguments, write: Write) => string | undefined>> = {
  ROUND: writeRound,
  JSON_VALUE: writeJsonValue,
  LPAD: (args, write) => writePadding('LPAD', args, write),
  RPAD: (args, write) => writePadding('RPAD', args, write),
  TIMESTAMPADD: writeDateAdd,
  DATE_FORMAT: (args, write) =>
    isEmptyText(args[1]) ? `NULLIF(DATE_FORMAT(${args.map(write).join(', ')}), '')` : undefined,
  STR_TO_DATE: (args) => {
    const [format] = args[1] ?? [];
    if (format?.kind !== 'text')
      throw createNullError('STR_TO_DATE with a format that is not a literal', 'Write the format as a literal.');
    const code = /%[^YymcdeHkhlIisSfTrpMb%]/.exec(format.text.replaceAll('%%', ''));
    if (code !== null)
      throw createNullError(`STR_TO_DATE with the code ${code[0]}`, 'Use %Y, %m, %d and the codes of times.');
    return undefined;
  },
  REGEXP_LIKE: (args, write) => writeRegexp('REGEXP_LIKE', args, write),
  REGEXP_REPLACE: (args, write) => writeRegexp('REGEXP_REPLACE', args, write),
  REGEXP_SUBSTR: (args, write) => writeRegexp('REGEXP_SUBSTR', args, write),
};

/** A pattern that matches the empty text. It replaces an empty pattern, which TiDB rejects. */
export const EMPTY_PATTERN = "'(?:)'";

/** Returns true if the argument is an empty text literal. */
export function isEmptyText(argument: readonly Piece[] | undefined): boolean {
  const [only, second] = argument ?? [];
  return second === undefined && only?.kind === 'text' && only.text.length === 2;
}

function writeRegexp(name: string, args: Arguments, write: Write): string | undefined {
  if (!isEmptyText(args[1])) return undefined;
  return `${name}(${args.map((arg, index) => (index === 1 ? EMPTY_PATTERN : write(arg, index))).join(', ')})`;
}

/**
 * Rewrites ROUND. TiDB rounds an integer as a DOUBLE: halves are rounded to the even digit, and large numbers become
 * wrong. TiDB rounds a DECIMAL and a DOUBLE like MySQL. In the rewritten text, an integer stays an integer, because all
 * arguments of IF have the type of `x`.
 */
function writeRound(args: Arguments, write: Write): string | undefined {
  const [number, places = []] = args;
  if (number === undefined || args.length !== 2 || isQuotient(number, true)) return undefined;
  const digits = Number(places.map((piece) => ('text' in piece ? piece.text : '?')).join(''));
  if (!Number.isInteger(digits) || places.length === 0) return undefined;
  const x = requireCopyable(write(number, 0), 'ROUND');
  if (digits >= 0) return `IF((${x}) = TRUNCATE(${x}, 0), TRUNCATE(${x}, ${digits}), ROUND(${x}, ${digits}))`;
  const half = `SIGN(${x}) * 5${'0'.repeat(-digits - 1)}`;
  // This comparison is true only for DECIMALs and integers: with a DOUBLE, the sum is not exactly 0.3.
  return `IF((${x}) * 0 + 0.1 + 0.2 = 0.3, TRUNCATE((${x}) + ${half}, ${digits}), ROUND(${x}, ${digits}))`;
}

function writeJsonValue(args: Arguments, write: Write): string {
  const found = `JSON_EXTRACT(${args.map(write).join(', ')})`;
  return `IF(JSON_TYPE(${found}) = 'NULL', NULL, CAST(JSON_UNQUOTE(${found}) AS CHAR))`;
}

/**
 * Rewrites LPAD and RPAD. For a negative length, MySQL and TiDB return NULL, but TiDB also adds a warning that the text
 * is too long.
 */
function writePadding(name: string, args: Arguments, write: Write): string | undefined {
  const [first, second] = args[1] ?? [];
  if (args.length !== 3 || (first?.kind === 'number' && second === undefined)) return undefined;
  const [text, length, by] = args.map(write);
  return `${name}(${text}, NULLIF(GREATEST(${length}, -1), -1), ${by})`;
}

/** Rewrites TIMESTAMPADD, which on TiDB adds 366 days for a year to 29 February, and returns a DATETIME where MySQL returns a DATE. */
function writeDateAdd(args: Arguments, write: Write): string | undefined {
  const [unit, count, from] = args.map(write);
  if (unit === undefined || count === undefined || from === undefined) return undefined;
  return `DATE_ADD(${from}, INTERVAL (${count}) ${unit.replace(/^SQL_TSI_/i, '')})`;
}

/**
 * Returns the text unchanged, but rejects a long text. The rewritten SQL contains the text more than once, and nested
 * calls would multiply it.
 */
export function requireCopyable(text: string, name: string): string {
  if (text.length <= MAX_COPIED) return text;
  throw new UntranslatableSqlError(
    `${name} of such a long expression cannot be translated for TiDB. Name the expression in a derived table.`,
  );
}

const MAX_COPIED = 2_000;

function createNullError(construct: string, hint: string): UntranslatableSqlError {
  return new UntranslatableSqlError(`${construct} returns NULL on TiDB. ${hint}`);
}

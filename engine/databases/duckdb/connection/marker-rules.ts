import type { BoundValue } from '../../interface/database.js';
import { DuckDBTypeId } from '../driver/node-api.js';

/** The kinds of columns in the table of bound values, see `ValueTable`, with their types. */
export const COLUMN_TYPES = { text: 'VARCHAR', whole: 'BIGINT', day: 'DATE', time: 'TIMESTAMP' } as const;

export type ColumnKind = keyof typeof COLUMN_TYPES;

/** Returns the kind of column that can hold a value, or undefined if the value must be bound to its placeholder. */
export type MarkerRule = (value: BoundValue) => ColumnKind | undefined;

/**
 * Returns a rule for each placeholder of a statement. `types` are the types that DuckDB infers for the placeholders
 * when it prepares the statement; `INVALID` means that the type depends on the values.
 *
 * DuckDB casts a bound text to the type of the value it is compared with, but a column has a fixed type. A rule
 * therefore allows a column only if both give the same result: if all uses of the placeholder have the type of the
 * column, or if every use is an argument of a macro that treats a DATE like its text.
 */
export function readMarkerRules(sql: string, types: readonly DuckDBTypeId[]): readonly MarkerRule[] {
  return types.map((type, index) => {
    if (type !== DuckDBTypeId.INVALID) return RULES[type] ?? rejectValue;
    return hasOnlyDateMacros(sql, index + 1) ? ruleOfText(kindOfInstant) : rejectValue;
  });
}

/** Replaces each placeholder of a statement, except in quoted texts and names. */
export function replaceMarkers(sql: string, replace: (number: number) => string): string {
  return sql.replace(MARKER, (token, number: string | undefined) =>
    number === undefined ? token : replace(Number(number)),
  );
}

const MARKER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const RULES: Partial<Record<DuckDBTypeId, MarkerRule>> = {
  [DuckDBTypeId.BIGINT]: (value) => (isWhole(value) ? 'whole' : undefined),
  [DuckDBTypeId.VARCHAR]: ruleOfText(() => 'text'),
  [DuckDBTypeId.DATE]: ruleOfText((value) => (DAY.test(value) ? 'day' : undefined)),
  [DuckDBTypeId.TIMESTAMP]: ruleOfText((value) => (kindOfInstant(value) === undefined ? undefined : 'time')),
};

function ruleOfText(kindOf: (value: string) => ColumnKind | undefined): MarkerRule {
  return (value) => (typeof value === 'string' ? kindOf(value) : undefined);
}

function rejectValue(): undefined {
  return undefined;
}

function kindOfInstant(value: string): ColumnKind | undefined {
  if (DAY.test(value)) return 'day';
  return TIME.test(value) ? 'time' : undefined;
}

function isWhole(value: BoundValue): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** Returns true if the placeholder is only an argument of macros that convert text and dates to the same DATE or TIMESTAMP. */
function hasOnlyDateMacros(sql: string, number: number): boolean {
  const marker = `\\$${number}\\b`;
  const count = (pattern: string) => sql.match(new RegExp(pattern, 'g'))?.length ?? 0;
  return count(`mysql\\.(?:instant|day_of)\\(${marker}\\)`) === count(marker);
}

import type { Cell, ResultSet } from '../../databases/interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { type PagePosition, readPositionValue } from '../query/page-position.js';
import type { Cursors } from './cursors.js';
import type { Endpoint } from './endpoint.js';

/** The rows of a page, without the row and columns that were read only for the next cursor. */
export interface Page extends Pick<ResultSet, 'columns' | 'rows' | 'more'> {
  /** The cursor of the next page; null if there is no next page or no cursor for it. Undefined if the endpoint has no cursors. */
  readonly nextCursor: string | null | undefined;
  /** The reason why the next page has no cursor; undefined if it has one or the caller does not need it. */
  readonly notice: string | undefined;
}

/** Returns the maximum number of rows to read for a page of `limit` rows. The row after the page shows whether the order is total. */
export function rowsToRead(endpoint: Endpoint, limit: number): number {
  return endpoint.cursors === undefined ? limit : limit + 1;
}

/** Removes the additional row and columns from a result, and writes the cursor of the next page. */
export function readPage(
  endpoint: Endpoint,
  parameters: ParameterValues,
  limit: number,
  result: ResultSet,
  cursors: Cursors,
): Page {
  const { cursors: reader, definition } = endpoint;
  if (reader === undefined) return { ...result, nextCursor: undefined, notice: undefined };
  const width = definition.columns.length;
  const isWider = result.columns.length > width;
  const shown = result.rows.slice(0, limit);
  const page = {
    columns: isWider ? result.columns.slice(0, width) : result.columns,
    rows: isWider ? shown.map((row) => row.slice(0, width)) : shown,
    more: result.rows.length > limit || result.more,
  };
  if (!page.more) return { ...page, nextCursor: null, notice: undefined };
  const places = reader.placesOf(parameters);
  const position = places === undefined ? NO_ORDER : readPosition(places, limit, result);
  const nextCursor = typeof position === 'string' ? undefined : cursors.write(endpoint, parameters, position);
  if (nextCursor !== undefined) return { ...page, nextCursor, notice: undefined };
  return { ...page, nextCursor: null, notice: explainMissing(parameters, position) };
}

/** Returns the notice about a missing cursor. A caller that requested a later page by its number does not need a cursor. */
function explainMissing({ page }: ParameterValues, position: PagePosition | string): string | undefined {
  if (page !== null && Number(page) > 1) return undefined;
  const reason = typeof position === 'string' ? position : TOO_LONG;
  return `The next page has no cursor, because ${reason}. Request it by its number.`;
}

const NO_ORDER = 'the order of these rows cannot be continued';
const EQUAL = 'the last row of this page and the first row of the next page are equal in ORDER BY';
const INEXACT = 'a value of its last row cannot be compared exactly';
const TOO_LONG = 'the values of its last row are too long';

/** Returns the position after the last row, or the reason why cursors are not possible there. */
function readPosition(places: readonly number[], limit: number, { rows, columns }: ResultSet): PagePosition | string {
  const [last, next] = [rows[limit - 1], rows[limit]];
  if (last === undefined || next === undefined) return NO_ORDER;
  // The next page starts after all rows that are equal in all keys, so the remaining equal rows would be lost.
  if (places.every((place) => isEqual(last[place], next[place]))) return EQUAL;
  const values = places.map((place) => readPositionValue(last[place] ?? null, columns[place]?.type ?? ''));
  return values.every((value) => value !== undefined) ? values : INEXACT;
}

function isEqual(one: Cell | undefined, other: Cell | undefined): boolean {
  return one === other;
}

import type { Answer } from '../../answers/answer.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import { type Failure, placeOf } from './check-list.js';

type Run = (raw: RawParameters) => Promise<Answer>;

/** The maximum number of pages that a check reads. More pages of the same query rarely find more mistakes. */
const MAX_PAGES = 5;

/** Checks that the pages of a request by cursor have the same rows as those by number, and that no row is on two pages. */
export async function findPageDifference(
  endpoint: Endpoint,
  request: RawParameters,
  run: Run,
): Promise<Failure | undefined> {
  const place = placeOf(endpoint.problem(['pagination'], '', { at: 'key' }));
  const { page: _, cursor: __, ...query } = request.query;
  const ask = (more: Readonly<Record<string, string>>) => run({ ...request, query: { ...query, ...more } });
  const size = { page_size: String(await pageSize(endpoint, ask)) };
  let cursor: string | null | undefined;
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const byNumber = await ask({ ...size, page: String(number) });
    const byCursor = number === 1 ? byNumber : await ask({ ...size, cursor: cursor ?? '' });
    const [expected, got] = [byNumber, byCursor].map(({ rows }) => JSON.stringify(rows, writeBigInt));
    if (expected !== got) return { expected: `page ${number}: ${expected}`, got: String(got), place };
    cursor = byCursor.nextCursor;
    if (!byCursor.truncated) return undefined;
    if (cursor === null || cursor === undefined) {
      return { expected: `a cursor after page ${number}`, got: byCursor.notices.join(' ') || 'none', place };
    }
  }
  return undefined;
}

/** Checks that the total equals the number of rows of all pages, or exceeds the rows read so far if more pages follow. */
export async function findTotalDifference(
  endpoint: Endpoint,
  request: RawParameters,
  run: Run,
): Promise<Failure | undefined> {
  const place = placeOf(endpoint.problem(['pagination', 'total'], '', { at: 'key' }));
  const { cursor: _, ...query } = request.query;
  const page_size = String(endpoint.definition.pagination?.max ?? 1);
  let rows = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await run({ ...request, query: { ...query, page_size, page: String(page) } });
    rows += answer.rows.length;
    const { total } = answer;
    if (typeof total !== 'number') return { expected: 'a number', got: 'no number: the query of total failed', place };
    const isRight = answer.truncated ? total > rows : total === rows;
    if (!isRight)
      return { expected: `${answer.truncated ? 'more than ' : ''}${rows} rows`, got: `total ${total}`, place };
    if (!answer.truncated) return undefined;
  }
  return undefined;
}

/** Returns a page size that splits the first rows into several pages. */
async function pageSize(
  { definition: { pagination } }: Endpoint,
  ask: (more: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<number> {
  const max = pagination?.max ?? 1;
  const { rows } = await ask({ page_size: String(max), page: '1' });
  return Math.max(1, Math.min(max, Math.floor(rows.length / 3)));
}

function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

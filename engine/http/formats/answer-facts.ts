import type { Answer } from '../../answers/answer.js';
import { ageOf } from '../envelopes/envelope.js';

/** The metadata of an answer that contains only rows. The metadata are sent as headers, as trailers or in the closing record. */
export interface AnswerFacts {
  readonly rows: number;
  /** Whether more rows exist than the answer contains. */
  readonly truncated: boolean;
  /** The time of the newest data, as ISO 8601 in UTC; null if it is unknown. */
  readonly data_as_of: string | null;
  readonly stale: boolean;
  /** Only for definitions with cursors: the cursor of the next page, or null. Absent in streamed answers, which have no pages. */
  readonly next_cursor?: string | null;
  /** Only for definitions with `pagination.total`: the number of all rows; null if it could not be counted. */
  readonly total?: number | null;
  readonly notices: readonly string[];
  /** The error that made the rows incomplete. Only in the closing record of a failed stream. */
  readonly error?: { readonly code: string; readonly message: string };
}

export function factsOf(answer: Answer): AnswerFacts {
  const { dataAsOf, stale } = ageOf(answer, answer.finishedAt);
  return {
    rows: answer.rows.length,
    truncated: answer.truncated,
    data_as_of: dataAsOf,
    stale,
    ...(answer.nextCursor !== undefined && { next_cursor: answer.nextCursor }),
    ...(answer.total !== undefined && { total: answer.total }),
    notices: [...answer.notices, ...answer.emptyNotices],
  };
}

/** Headers that scripts of other origins may read (CORS). */
export const FACT_HEADERS = [
  'X-Row-Count',
  'X-Truncated',
  'X-Next-Cursor',
  'X-Total-Count',
  'X-Data-As-Of',
  'X-Stale',
  'X-Notices',
  'X-Notice-Count',
];

/** The trailers of streamed answers: values that are unknown before the last row, or that can differ from those in the headers. */
export const FACT_TRAILERS = 'X-Row-Count, X-Truncated, X-Notice-Count, X-Notices';

/** Adds the headers that are known before the first row. In `list`, each name is followed by its value. */
export function addDataHeaders(list: string[], facts: Pick<AnswerFacts, 'data_as_of' | 'stale' | 'notices'>): void {
  if (facts.data_as_of !== null) list.push('X-Data-As-Of', facts.data_as_of);
  list.push('X-Stale', String(facts.stale));
  addNoticeHeaders(list, facts);
}

/** Adds the headers of notices, if there are any. In `list`, each name is followed by its value. */
export function addNoticeHeaders(list: string[], facts: Pick<AnswerFacts, 'notices'>): void {
  if (facts.notices.length === 0) return;
  list.push('X-Notice-Count', String(facts.notices.length));
  list.push('X-Notices', asciiJson(facts.notices));
}

/** Adds the headers that are known after the last row. In `list`, each name is followed by its value. */
export function addRowHeaders(list: string[], facts: Omit<AnswerFacts, 'data_as_of' | 'stale' | 'notices'>): void {
  const { rows, truncated, next_cursor: cursor, total } = facts;
  list.push('X-Row-Count', String(rows), 'X-Truncated', String(truncated));
  if (typeof cursor === 'string') list.push('X-Next-Cursor', cursor);
  if (typeof total === 'number') list.push('X-Total-Count', String(total));
}

/** The maximum length of the notices in a header, because proxies reject responses with more than a few kilobytes of headers. */
const MAX_NOTICES_LENGTH = 2_000;

/** Returns the texts as a JSON array in ASCII. Texts at the end are omitted if the array would be too long for a header. */
function asciiJson(texts: readonly string[]): string {
  const fitting: string[] = [];
  let length = 2;
  for (const text of texts) {
    const json = JSON.stringify(text).replace(/[^\x20-\x7e]/g, (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    length += json.length + 1;
    if (length > MAX_NOTICES_LENGTH) break;
    fitting.push(json);
  }
  return `[${fitting.join(',')}]`;
}

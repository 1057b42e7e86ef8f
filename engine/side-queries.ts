import type { CompiledQuery } from './compiled-query.js';
import type { Cell } from './database.js';
import type { Endpoint, EndpointQuery } from './endpoint.js';
import type { Observe } from './events.js';
import { createMemo } from './memo.js';
import type { ParameterValues } from './parameter-values.js';

/** How old the data are and what is to be told about them. */
export interface Freshness {
  readonly dataAsOf: Date | undefined;
  readonly notices: readonly string[];
}

/** Asks the database and gives the rows. */
export type RunSideQuery = (query: CompiledQuery) => Promise<readonly (readonly Cell[])[]>;

export type SideQueries = ReturnType<typeof createSideQueries>;

/** For this long `data_as_of` and notices are taken from memory, so that a request costs one query. */
const MEMO_MS = 5000;

/**
 * The queries beside the main one. None of them fails an answer: what cannot be had is unknown, and observed.
 */
export function createSideQueries(run: RunSideQuery, clock: () => Date, observe: Observe) {
  const remember = createMemo<readonly (readonly Cell[])[] | undefined>(MEMO_MS, clock);

  const attempt = async (endpoint: Endpoint, query: EndpointQuery, values: ParameterValues, now: Date) => {
    try {
      return await run(query.compile(values, now));
    } catch (cause) {
      observe({ kind: 'side_query_failed', endpoint: endpoint.definition.name, key: query.key, cause });
      return undefined;
    }
  };
  const remembered = (endpoint: Endpoint, query: EndpointQuery, now: Date) =>
    remember(query.texts[0]?.sql ?? query.key, () => attempt(endpoint, query, {}, now));

  return {
    /** What `data_as_of` and the notices of every answer say, at most five seconds old. */
    async freshness(endpoint: Endpoint, now: Date): Promise<Freshness> {
      const { dataAsOf } = endpoint;
      const always = endpoint.notices.filter(({ when }) => when === 'always');
      const [newest, ...notices] = await Promise.all([
        dataAsOf === undefined ? undefined : remembered(endpoint, dataAsOf, now),
        ...always.map(({ query }) => remembered(endpoint, query, now)),
      ]);
      return { dataAsOf: timeOf(newest?.[0]?.[0]), notices: notices.flatMap(noticeTexts) };
    },

    /** What is to be said when an answer has no rows. */
    async emptyNotices(endpoint: Endpoint, values: ParameterValues, now: Date): Promise<readonly string[]> {
      const empty = endpoint.notices.filter(({ when }) => when === 'empty');
      const notices = await Promise.all(empty.map(({ query }) => attempt(endpoint, query, values, now)));
      return notices.flatMap(noticeTexts);
    },
  };
}

function noticeTexts(rows: readonly (readonly Cell[])[] | undefined): string[] {
  return (rows ?? []).flatMap(([text]) => (typeof text === 'string' && text !== '' ? [text] : []));
}

/** `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` in UTC. */
function timeOf(cell: Cell | undefined): Date | undefined {
  if (typeof cell !== 'string' || !/^\d{4}-\d\d-\d\d/.test(cell)) return undefined;
  const text = cell.length === 10 ? `${cell}T00:00:00` : cell.replace(' ', 'T');
  const time = new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

import type { Endpoint, EndpointQuery } from '../endpoint/endpoint.js';
import type { Cell, ResultSet } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { CompiledQuery } from '../query/compiled-query.js';
import type { Observe } from './events.js';
import { createMemo } from './memo.js';

/** How old the data are and what is to be told about them. */
export interface Freshness {
  readonly dataAsOf: Date | undefined;
  /** Undefined where the endpoint says nothing of it, null where it is not known. */
  readonly computedAt: Date | null | undefined;
  readonly notices: readonly string[];
}

/** Asks the database. */
export type RunSideQuery = (query: CompiledQuery) => Promise<ResultSet>;

/** A request that side queries are asked for, and how they ask. */
export interface SideRequest {
  readonly values: ParameterValues;
  readonly now: Date;
  readonly run: RunSideQuery;
  /** Whose abort ends the queries, and the answer with them. */
  readonly signal: AbortSignal | undefined;
}

export type SideQueries = ReturnType<typeof createSideQueries>;

/** `data_as_of` and notices come from memory for this long, so that most requests cost one query. */
const MEMO_MS = 5000;

/**
 * The queries beside the main one. None of them fails an answer: a result that cannot be read is unknown, and observed. `run`
 * runs the queries without parameters, which all requests share.
 */
export function createSideQueries(run: RunSideQuery, stopwatch: () => number, observe: Observe) {
  const remember = createMemo<ResultSet | undefined>(MEMO_MS, stopwatch);

  const attempt = async (endpoint: Endpoint, query: EndpointQuery, { values, now, run, signal }: SideRequest) => {
    try {
      return await run(query.compile(values, now));
    } catch (cause) {
      if (signal?.aborted) throw cause;
      observe({ kind: 'side_query_failed', endpoint: endpoint.definition.name, key: query.key, cause });
      return undefined;
    }
  };
  const remembered = (endpoint: Endpoint, query: EndpointQuery, request: SideRequest) =>
    remember(memoKey(endpoint, query, request.values), () =>
      attempt(endpoint, query, query.parameters.length === 0 ? { ...request, run } : request),
    );

  return {
    /**
     * The results of `data_as_of` and of the notices of every answer, at most five seconds old. Requests share them, so the
     * abort of one request does not end the queries.
     */
    async freshness(endpoint: Endpoint, shared: Omit<SideRequest, 'signal'>): Promise<Freshness> {
      const request = { ...shared, signal: undefined };
      const { dataAsOf, computedAt } = endpoint;
      const always = endpoint.notices.filter(({ when }) => when === 'always');
      const [newest, computed, ...notices] = await Promise.all([
        dataAsOf && remembered(endpoint, dataAsOf, request),
        computedAt && remembered(endpoint, computedAt, request),
        ...always.map(({ query }) => remembered(endpoint, query, request)),
      ]);
      return {
        dataAsOf: timeOf(newest),
        computedAt: computedAt && (timeOf(computed) ?? null),
        notices: notices.flatMap(noticeTexts),
      };
    },

    /** What is to be said when an answer has no rows. */
    async emptyNotices(endpoint: Endpoint, request: SideRequest): Promise<readonly string[]> {
      const empty = endpoint.notices.filter(({ when }) => when === 'empty');
      const notices = await Promise.all(empty.map(({ query }) => attempt(endpoint, query, request)));
      return notices.flatMap(noticeTexts);
    },
  };
}

/** Endpoints share queries without parameters that have the same SQL. */
function memoKey({ definition }: Endpoint, { texts, key, parameters }: EndpointQuery, values: ParameterValues): string {
  if (parameters.length === 0) return texts[0]?.sql ?? key;
  return JSON.stringify([definition.name, key, ...parameters.map((name) => values[name])]);
}

function noticeTexts(result: ResultSet | undefined): string[] {
  if (result === undefined) return ['What is to be told beside this answer could not be read.'];
  const texts = result.rows.flatMap(([text]) => (typeof text === 'string' && text !== '' ? [text] : []));
  return result.more ? [...texts, `There are more notices than the ${texts.length} shown.`] : texts;
}

/** `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` in UTC. */
function timeOf(result: ResultSet | undefined): Date | undefined {
  const cell: Cell | undefined = result?.rows[0]?.[0];
  if (typeof cell !== 'string' || !/^\d{4}-\d\d-\d\d/.test(cell)) return undefined;
  const text = cell.length === 10 ? `${cell}T00:00:00` : cell.replace(' ', 'T');
  const time = new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

import {
  type Answer,
  type Endpoint,
  type EndpointQuery,
  findResultDifference,
  type ResultSet,
  type RowDifference,
} from '../../engine/index.js';

/**
 * The result of a comparison. In a difference, `one` is from the database of the service, and `other` is from the
 * shadow database.
 */
export type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly difference: RowDifference }
  /** The answers differ, but the data of the two databases are of different times, which may explain the difference. */
  | { readonly kind: 'undecided'; readonly dataAsOf: { readonly ours: string; readonly shadows: string } };

/** Runs a query of an endpoint again, with the parameters and the time of the original answer. */
export type RunAgain = (query: EndpointQuery, answer: Answer, maxRows: number) => Promise<ResultSet>;

export interface Sides {
  readonly ours: RunAgain;
  readonly shadows: RunAgain;
  /** Waits before the query runs again. */
  readonly pause: () => Promise<unknown>;
}

/**
 * Compares an answer with the shadow database, which runs the same query with the same current time. An import between the two queries must
 * not count as a difference. So if rows differ, both databases run the query again a moment later. The result only counts as different if
 * their data have the same time.
 */
export async function compareAnswer(answer: Answer, { ours, shadows, pause }: Sides): Promise<Verdict> {
  const { endpoint, limit } = answer;
  const answered = { rows: answer.rows, more: answer.truncated };
  if (differenceOf(endpoint, answered, await shadows(endpoint.query, answer, limit)) === undefined) return EQUAL;
  await pause();
  const times = [endpoint.dataAsOf, endpoint.computedAt].filter((query) => query !== undefined);
  const [oursAsOf, shadowsAsOf, own, other] = await Promise.all([
    timesOf(times, ours, answer),
    timesOf(times, shadows, answer),
    ours(endpoint.query, answer, limit),
    shadows(endpoint.query, answer, limit),
  ]);
  const difference = differenceOf(endpoint, own, other);
  if (difference === undefined) return EQUAL;
  if (oursAsOf !== shadowsAsOf) {
    return { kind: 'undecided', dataAsOf: { ours: oursAsOf, shadows: shadowsAsOf } };
  }
  return { kind: 'different', difference };
}

const EQUAL: Verdict = { kind: 'equal' };

type Rows = Pick<ResultSet, 'rows' | 'more'>;

function differenceOf(endpoint: Endpoint, one: Rows, other: Rows): RowDifference | undefined {
  return findResultDifference({ endpoint, ...one }, { endpoint, ...other });
}

async function timesOf(queries: readonly EndpointQuery[], run: RunAgain, answer: Answer): Promise<string> {
  const results = await Promise.all(queries.map((query) => run(query, answer, 1)));
  return results.map(({ rows }) => String(rows[0]?.[0] ?? 'not known')).join(', ');
}

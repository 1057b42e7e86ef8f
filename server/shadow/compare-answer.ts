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
  /**
   * The answers differ, but the data may explain the difference: they changed during each attempt (`dataAsOf` is undefined), or the data of the
   * two databases are of different times.
   */
  | { readonly kind: 'undecided'; readonly dataAsOf: { readonly ours: string; readonly shadows: string } | undefined };

/** Runs a query of an endpoint again, with the parameters and the time of the original answer. */
export type RunAgain = (query: EndpointQuery, answer: Answer, maxRows: number) => Promise<ResultSet>;

export interface Sides {
  readonly ours: RunAgain;
  readonly shadows: RunAgain;
  /** Waits before the query runs again. */
  readonly pause: () => Promise<unknown>;
}

/**
 * Compares an answer with the shadow database, which runs the same query with the same current time. A change of the data between the two
 * queries must not count as a difference. So if rows differ, both databases run the query again a moment later. The result only counts as
 * different if the data have the same time, and if the database of the service returns the same rows before and after the shadow database.
 *
 * Tables without versions can also have changed before the first query, and a replica then gets the change later. So an answer of such tables
 * only counts as different if it differs in every attempt.
 */
export async function compareAnswer(answer: Answer, sides: Sides): Promise<Verdict> {
  const { endpoint, limit } = answer;
  const answered = { rows: answer.rows, more: answer.truncated };
  if (differenceOf(endpoint, answered, await sides.shadows(endpoint.query, answer, limit)) === undefined) return EQUAL;
  let verdict: Verdict = CHANGED;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await sides.pause();
    verdict = await compareAgain(answer, sides);
    if (verdict === EQUAL || (verdict !== CHANGED && answer.versions !== undefined)) return verdict;
  }
  return verdict;
}

const EQUAL: Verdict = { kind: 'equal' };
const CHANGED: Verdict = { kind: 'undecided', dataAsOf: undefined };
const MAX_ATTEMPTS = 3;

/** Compares the answer of the shadow database with the answers of the database of the service before and after it. */
async function compareAgain(answer: Answer, { ours, shadows }: Sides): Promise<Verdict> {
  const { endpoint, limit } = answer;
  const times = [endpoint.dataAsOf, endpoint.computedAt].filter((query) => query !== undefined);
  const read = (run: RunAgain) => Promise.all([run(endpoint.query, answer, limit), timesOf(times, run, answer)]);
  const [before, oursAsOf] = await read(ours);
  const [other, shadowsAsOf] = await read(shadows);
  const difference = differenceOf(endpoint, before, other);
  if (difference === undefined) return EQUAL;
  const after = await ours(endpoint.query, answer, limit);
  if (differenceOf(endpoint, after, other) === undefined) return EQUAL;
  if (differenceOf(endpoint, before, after) !== undefined) return CHANGED;
  if (oursAsOf !== shadowsAsOf) return { kind: 'undecided', dataAsOf: { ours: oursAsOf, shadows: shadowsAsOf } };
  return { kind: 'different', difference };
}

type Rows = Pick<ResultSet, 'rows' | 'more'>;

function differenceOf(endpoint: Endpoint, one: Rows, other: Rows): RowDifference | undefined {
  return findResultDifference({ endpoint, ...one }, { endpoint, ...other });
}

async function timesOf(queries: readonly EndpointQuery[], run: RunAgain, answer: Answer): Promise<string> {
  const results = await Promise.all(queries.map((query) => run(query, answer, 1)));
  return results.map(({ rows }) => String(rows[0]?.[0] ?? 'not known')).join(', ');
}

import {
  type Answer,
  type Endpoint,
  type EndpointQuery,
  findRowDifference,
  type ResultSet,
  type RowDifference,
  writeTextRows,
} from '../../engine/index.js';

/** What comparing an answer comes to; of a difference, `one` is ours and `other` the shadow's. */
export type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly difference: RowDifference }
  /** The answers differ, and so do the times of the data. */
  | { readonly kind: 'undecided'; readonly dataAsOf: { readonly ours: string; readonly shadows: string } };

/** Asks a database; `signal` aborts when nobody needs the answer any more. */
export type AskDatabase = (query: EndpointQuery, answer: Answer, maxRows: number) => Promise<ResultSet>;

export interface Sides {
  readonly ours: AskDatabase;
  readonly shadows: AskDatabase;
  /** Lets some time pass. */
  readonly pause: () => Promise<unknown>;
}

/**
 * Asks the shadow what an answer came from, at the answer's own time of day. What an import changed between the two readings
 * is no difference: where rows differ both are asked again, a moment later, and told apart only if their data are of one time.
 */
export async function compareAnswer(answer: Answer, { ours, shadows, pause }: Sides): Promise<Verdict> {
  const { endpoint, limit } = answer;
  const given = { rows: answer.rows, more: answer.truncated };
  if (differenceOf(endpoint, given, await shadows(endpoint.query, answer, limit)) === undefined) return EQUAL;
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
  const rows = findRowDifference(writeTextRows(endpoint, one.rows), writeTextRows(endpoint, other.rows));
  if (rows !== undefined || one.more === other.more) return rows;
  return { at: 'whether there are more rows', one: String(one.more), other: String(other.more) };
}

async function timesOf(queries: readonly EndpointQuery[], ask: AskDatabase, answer: Answer): Promise<string> {
  const results = await Promise.all(queries.map((query) => ask(query, answer, 1)));
  return results.map(({ rows }) => String(rows[0]?.[0] ?? 'not known')).join(', ');
}

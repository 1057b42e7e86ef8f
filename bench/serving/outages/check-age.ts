import { headerOf, type RawAnswer } from '../load/answer-reader.js';

/** The state of the database when an answer is sent. */
export interface DatabaseState {
  /** The time at which the database stopped answering, in milliseconds since 1970. Undefined while it answers. */
  readonly stoppedAt: number | undefined;
  /** Whether the state changed so recently that the service may not have noticed it. */
  readonly isChanging: boolean;
}

/** The ages in the `result` member of an answer. */
interface StatedAge {
  readonly data_as_of: string | null;
  readonly age_ms: number | null;
  readonly stale: boolean;
}

/** The maximum difference between the time of a request and the time in its answer, on a busy machine. */
const TOLERANCE_MS = 3_000;
/** The interval at which the service reads versions. An answer that is not stale was confirmed at most about this time ago. */
const POLL_MS = 1_000;

/** Returns a description of wrong ages in an answer; undefined if they are correct. */
export function findWrongAge(answer: RawAnswer, receivedAt: number, state: DatabaseState): string | undefined {
  const result = (JSON.parse(answer.body.toString()) as { data: { result: StatedAge } }).data.result;
  const { data_as_of: dataAsOf, age_ms: ageMs, stale } = result;
  const age = headerOf(answer, 'Age');
  const confirmed = headerOf(answer, 'X-Data-Confirmed');
  if (dataAsOf === null || ageMs === null) return `no age: ${JSON.stringify(result)}`;
  const trueAge = receivedAt - Date.parse(dataAsOf);
  if (ageMs > trueAge + TOLERANCE_MS) return `age_ms ${ageMs}, but the data are ${trueAge} ms old`;
  if (stale && ageMs < trueAge - TOLERANCE_MS) return `stale with age_ms ${ageMs}, but the data are ${trueAge} ms old`;
  if (age !== undefined && confirmed !== undefined) {
    const unconfirmedMs = receivedAt - Date.parse(confirmed);
    if (Math.abs(Number(age) * 1000 - unconfirmedMs) > TOLERANCE_MS) return `Age ${age}, confirmed at ${confirmed}`;
    if (!stale && unconfirmedMs > POLL_MS + TOLERANCE_MS) return `not stale, but confirmed at ${confirmed}`;
    if (state.stoppedAt !== undefined && Date.parse(confirmed) > state.stoppedAt + TOLERANCE_MS) {
      return `confirmed at ${confirmed} by a database that stopped at ${new Date(state.stoppedAt).toISOString()}`;
    }
  }
  if (state.isChanging) return undefined;
  if (stale !== (state.stoppedAt !== undefined)) return `stale is ${stale}`;
  return undefined;
}

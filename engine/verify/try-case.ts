import { EngineError } from '../interface/errors.js';
import type { RawParameters } from '../parameters/parameter-values.js';
import type { Answer } from '../run/answer.js';
import type { Case } from './cases.js';
import type { Failure } from './checks/check-list.js';

export type Run = (raw: RawParameters) => Promise<Answer>;

/** What each kind of request must get, for messages. */
export const EXPECTED: Readonly<Record<Case['expected'], string>> = {
  answer: 'an answer',
  bad_parameter: 'the error bad_parameter',
  safe: 'an answer or the error bad_parameter',
};

/** Sends a generated request. Returns how its answer differs from the expected one. */
export async function tryCase(
  { raw, expected, parameter }: Case,
  run: Run,
  hasSameSql: (raw: RawParameters) => boolean,
): Promise<Failure | undefined> {
  try {
    await run(raw);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'bad_parameter') throw error;
    if (expected === 'answer') return { expected: EXPECTED.answer, got: error.message };
    const named = error.details.parameters?.map((one) => one.parameter) ?? [];
    return named.includes(parameter) ? undefined : { expected: `an error naming ${parameter}`, got: error.message };
  }
  if (expected === 'bad_parameter') return { expected: EXPECTED.bad_parameter, got: 'an answer' };
  const isSafe = expected === 'answer' || hasSameSql(raw);
  return isSafe ? undefined : { expected: 'the SQL of the base request', got: 'another SQL text' };
}

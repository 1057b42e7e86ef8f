import type { QuestionProgress } from '../../explorer/explorer.js';
import type { QuestionResult } from '../../explorer/questions/question.js';

/** Creates the JSON of a question for responses. */
export function questionBody({ question, queuePreceding }: QuestionProgress, now: Date, staleAfterMs: number) {
  const { result, engines, ...record } = question;
  return {
    ...record,
    engine: engines[0] ?? null,
    engines,
    queuePreceding,
    result: result === null ? null : resultBody(result, now, staleAfterMs),
  };
}

/** Adds whether the data are stale at the time `now`. Data of unknown age count as stale. */
export function resultBody(result: QuestionResult, now: Date, staleAfterMs: number) {
  const { dataAsOf } = result;
  return { ...result, stale: dataAsOf === null || now.getTime() - Date.parse(dataAsOf) > staleAfterMs };
}

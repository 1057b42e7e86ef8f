import type { IncomingMessage } from 'node:http';
import type { AnswerCache, AnswerRequest, TargetRequest } from './answer-cache.js';
import { acceptsCached } from './send-answer.js';
import type { ServedAnswer } from './stored-answer.js';

/** Answers an HTTP request for a target. `signal` aborts if the client disconnects. Rejects with `EngineError`. */
export function serveTarget(
  cache: Pick<AnswerCache, 'serve'>,
  wanted: TargetRequest,
  { headers }: Pick<IncomingMessage, 'headers'>,
  { signal, requestId }: Pick<AnswerRequest, 'signal' | 'requestId'>,
): Promise<ServedAnswer> {
  return cache.serve({ ...wanted, isNewestRequired: !acceptsCached(headers), signal, requestId });
}

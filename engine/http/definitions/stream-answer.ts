import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '../../answers/engine.js';
import type { TargetRequest } from '../cache/answer-cache.js';
import { addVaryingHeaders, setHeaders } from '../cache/send-answer.js';
import { isRowFormat, type RowFormat } from '../formats/format.js';
import { describeFailure, recordFailure } from '../problems/error-answers.js';
import { recordOf } from '../request-record.js';
import { abortOnClose } from '../requests/read-request.js';
import { StreamSender, streamHeaders } from './stream-sender.js';

/** A request whose rows are sent while they are read from the database, and never stored. */
export interface StreamRequest extends TargetRequest {
  readonly representation: RowFormat;
}

export function isStreamed(wanted: TargetRequest): wanted is StreamRequest {
  return wanted.endpoint.stream !== undefined && isRowFormat(wanted.representation);
}

/** Answers a request with a streamed response. Rejects only if the response has not begun, so that the caller can send the error. */
export async function streamAnswer(
  engine: Pick<Engine, 'identify' | 'stream'>,
  wanted: StreamRequest,
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
): Promise<void> {
  const { endpoint, raw, representation: format } = wanted;
  const record = recordOf(response);
  record.operation = endpoint.definition.name;
  record.cache = 'bypass';
  if (method === 'HEAD') {
    engine.identify(endpoint, raw);
    setHeaders(response, streamHeaders(endpoint, format));
    response.setHeader('Vary', addVaryingHeaders(String(response.getHeader('Vary') ?? '')));
    response.end();
    return;
  }
  const sent = sendRows(engine, wanted, response);
  record.work = sent.catch(() => undefined);
  await sent;
}

async function sendRows(
  engine: Pick<Engine, 'stream'>,
  { endpoint, raw, representation: format }: StreamRequest,
  response: ServerResponse,
): Promise<void> {
  const record = recordOf(response);
  const sender = new StreamSender(response, format);
  try {
    const options = { signal: abortOnClose(response), requestId: record.id };
    const answer = await engine.stream(endpoint, raw, sender, options);
    sender.finish(answer);
  } catch (error) {
    if (!response.headersSent) throw error;
    recordFailure(response, error);
    sender.fail({ code: record.code ?? 'internal_error', message: describeFailure(error).message });
  } finally {
    record.databaseMs = sender.databaseMs;
    if (response.headersSent) record.rows = sender.rowCount;
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_OF_ERROR } from '../../engine/http/problems/error-answers.js';
import {
  type AnswerSource,
  type Arrival,
  attachRecord,
  type EndedRequest,
  findRecord,
  type RequestFollower,
  requestIdOf,
  type SentAnswer,
} from '../../engine/http/request-record.js';
import { interruptionOf } from '../../engine/http/requests/read-request.js';

/**
 * Called when a request begins, and when its response is closed. If the response was sent before the handler returned, only `onSent` is
 * called.
 */
export interface RequestObserver {
  onBegin(): void;
  onEnd(request: EndedRequest, response: ServerResponse): void;
  onSent(request: EndedRequest, response: ServerResponse): void;
  /** Returns the id of the trace of a request, if it has one. */
  traceIdOf(response: ServerResponse): string | undefined;
}

export function observeRequests(observer: RequestObserver): RequestFollower {
  const follow = (response: ServerResponse, record: ObservedRequest) => {
    attachRecord(response, record);
    record.traceId = observer.traceIdOf(response);
    observer.onBegin();
    const end = () => {
      record.end();
      observer.onEnd(record, response);
    };
    response.on('close', () => {
      record.close();
      if (record.work === undefined) end();
      else record.work.then(end);
    });
    return record;
  };
  return {
    begin: (request, response, arrival) =>
      findRecord(response) ?? follow(response, new ObservedRequest(request, response, arrival, requestIdOf(request))),
    sent: (request, response, answer) => {
      // Faster path: waiting for the event `close` would cost more than all metrics.
      if (isTaken(response))
        observer.onSent(endedRequest(request, response, answer, observer.traceIdOf(response)), response);
      else follow(response, recordSent(request, response, answer));
    },
  };
}

/** Whether the system has taken all bytes of a response. A response that waits for an earlier response on its connection has no socket. */
function isTaken({ socket }: ServerResponse): boolean {
  return socket?.writableLength === 0 && socket.writable;
}

function endedRequest(
  { method = '', url = '', headers }: IncomingMessage,
  { statusCode: status }: ServerResponse,
  { id, startedAt, remoteAddress, operation, caller, rows, cache, bytes }: SentAnswer,
  traceId: string | undefined,
): EndedRequest {
  return {
    id,
    isIdSent: headers['x-request-id'] !== undefined,
    method,
    target: url,
    remoteAddress,
    status,
    sentStatus: status,
    operation,
    caller,
    rows,
    cache,
    databaseMs: undefined,
    code: undefined,
    errorStatus: undefined,
    failure: undefined,
    traceId,
    bytes,
    ms: performance.now() - startedAt,
    isAborted: false,
  };
}

function recordSent(request: IncomingMessage, response: ServerResponse, answer: SentAnswer): ObservedRequest {
  const { id, operation, caller, rows, cache, bytes } = answer;
  return Object.assign(new ObservedRequest(request, response, answer, id), {
    operation,
    caller,
    rows,
    cache,
    sentBytes: bytes,
  });
}

/** The values at the end of the request are stored as plain properties, because they are read several times. */
class ObservedRequest implements EndedRequest {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly remoteAddress: string | undefined;
  operation: string | undefined = undefined;
  caller: string | undefined = undefined;
  rows: number | undefined = undefined;
  cache: AnswerSource | undefined = undefined;
  databaseMs: number | undefined = undefined;
  code: string | undefined = undefined;
  errorStatus: number | undefined = undefined;
  failure: unknown = undefined;
  sentBytes: number | undefined = undefined;
  work: Promise<void> | undefined = undefined;
  traceId: string | undefined = undefined;
  status = 0;
  sentStatus: number | undefined = undefined;
  bytes = 0;
  ms = 0;
  isAborted = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #startedAt: number;
  readonly #bytesBefore: number;

  constructor(request: IncomingMessage, response: ServerResponse, { startedAt, remoteAddress }: Arrival, id: string) {
    this.id = id;
    this.method = request.method ?? '';
    // A copy, because express changes `url` later.
    this.target = request.url ?? '';
    this.remoteAddress = remoteAddress;
    this.#request = request;
    this.#response = response;
    // A copy, because a response has no socket after its end.
    this.#socket = request.socket;
    this.#startedAt = startedAt;
    this.#bytesBefore = request.socket.bytesWritten;
  }

  get isIdSent(): boolean {
    return this.#request.headers['x-request-id'] !== undefined;
  }

  /** Measures the duration when the response is closed. */
  close(): void {
    this.ms = performance.now() - this.#startedAt;
    this.bytes = this.sentBytes ?? this.#socket.bytesWritten - this.#bytesBefore;
    // The events of a response do not show whether the system has taken its last bytes. If the connection is still open, it has.
    this.isAborted = this.#request.readableAborted || !this.#response.writableEnded || this.#socket.destroyed;
  }

  /** Determines the status, after all other facts are known. */
  end(): void {
    const { headersSent, statusCode } = this.#response;
    if (headersSent) this.sentStatus = statusCode;
    if (!headersSent || (this.isAborted && this.errorStatus === undefined)) {
      const { code } = interruptionOf(this.#request);
      this.code = code;
      this.errorStatus = STATUS_OF_ERROR[code];
    }
    this.status = this.errorStatus ?? statusCode;
    if (headersSent && statusCode >= 400) this.status = statusCode;
  }
}

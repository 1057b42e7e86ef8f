import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type AnswerSource,
  attachRecord,
  type EndedRequest,
  findRecord,
  type RequestRecord,
  requestIdOf,
} from '../../http/records/request-record.js';

/** What is known when a request arrives. */
export interface Arrival {
  /** As a value of `performance.now()`. */
  readonly startedAt: number;
  /** The address of the client if a trusted proxy reports it, otherwise the address of the peer. */
  readonly remoteAddress: string | undefined;
  /** Whether the code that sends the answer sets its bytes, or those before it. */
  readonly isKnown?: boolean;
}

/** Gets each request when it begins and when its response is closed. */
export interface RequestObserver {
  /** Returns the id of the trace of the request, if it has one. */
  onBegin(response: ServerResponse): string | undefined;
  onEnd(request: EndedRequest, response: ServerResponse): void;
}

/** Returns the record of a request. The first call begins it. */
export type BeginRequest = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => RequestRecord;

/** The status of a client that disconnected before its answer. */
export const CLIENT_CLOSED_REQUEST = 499;

/** Creates the function that follows each request until its response is closed. */
export function observeRequests(observer: RequestObserver): BeginRequest {
  return (request, response, arrival) => {
    const known = findRecord(response);
    if (known !== undefined) return known;
    const record = attachRecord(response, new ObservedRequest(request, response, arrival));
    record.traceId = observer.onBegin(response);
    response.on('close', () => {
      record.end();
      observer.onEnd(record, response);
    });
    return record;
  };
}

/** The values of the end are plain properties, because they are read several times. */
class ObservedRequest implements EndedRequest {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly remoteAddress: string | undefined;
  operation: string | undefined = undefined;
  rows: number | undefined = undefined;
  cache: AnswerSource | undefined = undefined;
  databaseMs: number | undefined = undefined;
  code: string | undefined = undefined;
  failure: unknown = undefined;
  sentBytes: number | undefined = undefined;
  traceId: string | undefined = undefined;
  status = CLIENT_CLOSED_REQUEST;
  bytes = 0;
  ms = 0;
  isAborted = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #startedAt: number;
  bytesBefore: number;

  constructor(request: IncomingMessage, response: ServerResponse, { startedAt, remoteAddress, isKnown }: Arrival) {
    this.id = requestIdOf(request);
    this.method = request.method ?? '';
    // Express changes `url` later.
    this.target = request.url ?? '';
    this.remoteAddress = remoteAddress;
    this.#request = request;
    this.#response = response;
    // A response has no socket after its end.
    this.#socket = request.socket;
    this.#startedAt = startedAt;
    this.bytesBefore = isKnown === true ? 0 : request.socket.bytesWritten;
  }

  get isIdSent(): boolean {
    return this.#request.headers['x-request-id'] !== undefined;
  }

  end(): void {
    this.ms = performance.now() - this.#startedAt;
    if (this.#response.headersSent) this.status = this.#response.statusCode;
    this.bytes = this.sentBytes ?? this.#socket.bytesWritten - this.bytesBefore;
    this.isAborted = this.#request.readableAborted || !this.#response.writableEnded;
  }
}

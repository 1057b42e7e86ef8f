import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where an answer came from. */
export type AnswerSource = 'memory' | 'redis' | 'computed' | 'coalesced' | 'stale' | 'bypass';

/** What the parts that handle a request know about it, for its log line, its metrics and its trace. */
export interface RequestFacts {
  /** The id that the client sent, or a new one. */
  readonly id: string;
  /** The name of a definition or the id of an operation, never a text of the client; undefined for unknown paths. */
  operation: string | undefined;
  rows: number | undefined;
  cache: AnswerSource | undefined;
  /** The time of the query, with its wait for a connection. Undefined if no query ran for this request. */
  databaseMs: number | undefined;
  /** The code of the error that was answered, or that ended the answer after its head. */
  code: string | undefined;
  /** The status of this error. It was not sent if the error ended the answer after its head. */
  errorStatus: number | undefined;
  /** The cause of a failure of the service. */
  failure: unknown;
  /** The id of the trace; undefined without tracing. */
  traceId: string | undefined;
}

/** The facts of a request in progress. The parts that handle the request complete them. */
export interface RequestRecord extends RequestFacts {
  /** The bytes of the answer with its headers, if the code that sends it knows them: asking the connection is slow. */
  sentBytes: number | undefined;
  /**
   * The work for an answer that is sent in parts. If the client disconnects, the work ends later, and completes these facts. Never
   * rejects.
   */
  work: Promise<void> | undefined;
}

/** A request that has ended. */
export interface EndedRequest extends Readonly<RequestFacts> {
  readonly method: string;
  /** The target of the request, as sent. */
  readonly target: string;
  /** The address of the client if a trusted proxy reports it, otherwise the address of the peer. */
  readonly remoteAddress: string | undefined;
  /**
   * The result of the request. It differs from the sent status if the answer ended too early: then it is the status of the error, or
   * 499 if the client disconnected.
   */
  readonly status: number;
  /** The status in the head of the answer; undefined if no head was sent. */
  readonly sentStatus: number | undefined;
  /** The bytes that were sent, with the headers. */
  readonly bytes: number;
  readonly ms: number;
  /** Whether the client disconnected before the end of the answer. */
  readonly isAborted: boolean;
  /** Whether the client sent the id, which can then contain a secret. */
  readonly isIdSent: boolean;
}

/** What is known when a request arrives. */
export interface Arrival {
  /** As a value of `performance.now()`. */
  readonly startedAt: number;
  /** The address of the client if a trusted proxy reports it, otherwise the address of the peer. */
  readonly remoteAddress: string | undefined;
}

/** What is known about an answer that was sent while its request arrived. */
export interface SentAnswer extends Arrival, Pick<EndedRequest, 'id' | 'operation' | 'rows' | 'cache' | 'bytes'> {}

/** Returns the record of a request. The first call begins it. */
export type BeginRequest = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => RequestRecord;

/** Follows each request from its arrival until its answer is sent. */
export interface RequestFollower {
  readonly begin: BeginRequest;
  /** Follows a request that `begin` did not get, and whose whole answer was passed to the connection. */
  readonly sent: (request: IncomingMessage, response: ServerResponse, answer: SentAnswer) => void;
}

const RECORD = Symbol('record');
type Recorded = ServerResponse & { [RECORD]?: RequestRecord };

/** Returns the record of a request. It is created at the first call. */
export function recordOf(response: ServerResponse): RequestRecord {
  return findRecord(response) ?? attachRecord(response, createRecord(response.req));
}

/** Returns the record of a request if it has one. */
export function findRecord(response: ServerResponse): RequestRecord | undefined {
  return (response as Recorded)[RECORD];
}

/** Gives a request its record. */
export function attachRecord<Record extends RequestRecord>(response: ServerResponse, record: Record): Record {
  (response as Recorded)[RECORD] = record;
  return record;
}

/** Creates a record in which only the id is known. */
function createRecord(request: Pick<IncomingMessage, 'headers'>): RequestRecord {
  const rest = { rows: undefined, cache: undefined, databaseMs: undefined, code: undefined };
  const unknown = { operation: undefined, sentBytes: undefined, work: undefined, traceId: undefined };
  const failure = { errorStatus: undefined, failure: undefined };
  return { id: requestIdOf(request), ...unknown, ...rest, ...failure };
}

/** Returns the id that the client sent, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;

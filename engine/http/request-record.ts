import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where an answer came from. */
export type AnswerSource = 'memory' | 'redis' | 'computed' | 'coalesced' | 'stale' | 'bypass';

/** Facts about a request, for its log line, its metrics and its trace. */
export interface RequestFacts {
  /** The id that the client sent, or a new one. */
  readonly id: string;
  /** The name of a definition or the id of an operation, never a text from the client; undefined for unknown paths. */
  operation: string | undefined;
  /** The id of the caller of a definition that is not public, or of an API key; undefined for other requests. */
  caller: string | undefined;
  rows: number | undefined;
  cache: AnswerSource | undefined;
  /** The duration of the query, including its wait for a connection. Undefined if no query ran for this request. */
  databaseMs: number | undefined;
  /** The code of the error that was sent, or that ended the answer after its head was sent. */
  code: string | undefined;
  /** The HTTP status of the error. This status was not sent if the error ended the answer after its head was sent. */
  errorStatus: number | undefined;
  /** The cause of the error, if the service failed. */
  failure: unknown;
  /** The id of the trace; undefined without tracing. */
  traceId: string | undefined;
}

/** The facts about a request in progress. The code that handles the request fills them in. */
export interface RequestRecord extends RequestFacts {
  /** The bytes of the answer with its headers, if the sending code knows them. Asking the connection would be slow. */
  sentBytes: number | undefined;
  /**
   * The work for an answer that is sent in parts. If the client disconnects, the work ends later than the response, and
   * then completes these facts. Never rejects.
   */
  work: Promise<void> | undefined;
}

/** A request that has ended. */
export interface EndedRequest extends Readonly<RequestFacts> {
  readonly method: string;
  /** The target of the request, as sent. */
  readonly target: string;
  /** The client address that the outermost trusted proxy reports; without a proxy, the address of the connection. */
  readonly remoteAddress: string | undefined;
  /**
   * The HTTP status of the result. It differs from the sent status if the answer ended too early: then it is the status
   * of the error, or 499 if the client disconnected.
   */
  readonly status: number;
  /** The status in the head of the answer; undefined if no head was sent. */
  readonly sentStatus: number | undefined;
  /** The bytes that were sent, with the headers. */
  readonly bytes: number;
  readonly ms: number;
  /** Whether the client disconnected before the end of the answer. */
  readonly isAborted: boolean;
  /** Whether the client sent the id. Such an id can contain a secret. */
  readonly isIdSent: boolean;
}

/** The facts that are known when a request arrives. */
export interface Arrival {
  /** The time of arrival, as a value of `performance.now()`. */
  readonly startedAt: number;
  /** The client address that the outermost trusted proxy reports; without a proxy, the address of the connection. */
  readonly remoteAddress: string | undefined;
}

/** The facts about an answer that was sent synchronously when its request arrived. */
export interface SentAnswer
  extends Arrival,
    Pick<EndedRequest, 'id' | 'operation' | 'caller' | 'rows' | 'cache' | 'bytes'> {}

/** Returns the record of a request. The first call creates it. */
export type BeginRequest = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => RequestRecord;

/** Observes each request from its arrival until its answer is sent. */
export interface RequestFollower {
  readonly begin: BeginRequest;
  /** Observes a request without a call of `begin`, whose whole answer was already passed to the connection. */
  readonly sent: (request: IncomingMessage, response: ServerResponse, answer: SentAnswer) => void;
}

const RECORD = Symbol('record');
type Recorded = ServerResponse & { [RECORD]?: RequestRecord };

/** Returns the record of a request. The record is created at the first call. */
export function recordOf(response: ServerResponse): RequestRecord {
  return findRecord(response) ?? attachRecord(response, createRecord(response.req));
}

/** Returns the record of a request if it exists. */
export function findRecord(response: ServerResponse): RequestRecord | undefined {
  return (response as Recorded)[RECORD];
}

/** Attaches a record to a request. */
export function attachRecord<Record extends RequestRecord>(response: ServerResponse, record: Record): Record {
  (response as Recorded)[RECORD] = record;
  return record;
}

/** Creates a record in which only the id is known. */
function createRecord(request: Pick<IncomingMessage, 'headers'>): RequestRecord {
  const rest = { rows: undefined, cache: undefined, databaseMs: undefined, code: undefined };
  const unknown = {
    operation: undefined,
    caller: undefined,
    sentBytes: undefined,
    work: undefined,
    traceId: undefined,
  };
  const failure = { errorStatus: undefined, failure: undefined };
  return { id: requestIdOf(request), ...unknown, ...rest, ...failure };
}

/** Returns the id that the client sent, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;

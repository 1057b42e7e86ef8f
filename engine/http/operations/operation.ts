import type { Request, Response } from 'express';
import type { ErrorCode } from '../../databases/interface/errors.js';
import type { ProtectedDefinition } from '../../definitions/access/require-access.js';
import type { ParameterDefinition } from '../../definitions/definition.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import type { Principal } from '../../definitions/principal.js';
import type { JsonSchema } from '../json-schema.js';
import type { ProblemCode } from '../problems/http-problem.js';
import type { Caller } from './caller.js';

/** A hand-written operation. Its route, the validation of its requests and its API description are derived from this. */
export type Operation = OpenOperation | CallerOperation | PersonalOperation | DefinitionOperation;

/** The operation `/q/{wildcard}`. `answerDefinitions` handles its requests; only its API description is derived from this object. */
export interface DefinitionOperation extends OperationFields {
  readonly access: 'open';
  readonly handle: 'definitions';
}

/** An operation that needs no credential. */
export interface OpenOperation extends OperationFields {
  readonly access: 'open';
  readonly handle: (request: OperationRequest) => Reply | Promise<Reply>;
}

/** An operation for callers that can read a definition, or write SQL. */
export interface CallerOperation extends OperationFields {
  readonly access: 'caller';
  readonly definition: ProtectedDefinition;
  readonly handle: OpenOperation['handle'];
}

/** Restricts an operation to the callers with access. The operation stays open if any caller has access. */
export function forCallers(operation: OpenOperation, definition: ProtectedDefinition): OpenOperation | CallerOperation {
  return definition.access === undefined ? operation : { ...operation, access: 'caller', definition };
}

/** An operation that needs a credential; a `trusted` operation also needs a user to whom an operator granted access. */
export interface PersonalOperation extends OperationFields {
  readonly access: 'signed-in' | 'trusted';
  /** Set if an API key of the user is sufficient. Without it, keys cannot use the operation. */
  readonly acceptsKeys?: true;
  readonly handle: (request: PersonalRequest) => Reply | Promise<Reply>;
}

export interface OperationFields {
  /** The unique operationId, in kebab-case. */
  readonly id: string;
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** The path, for example `/cakes/{name}/price/`. It works with and without the trailing slash. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Parameters of the path and of the query. Any other parameter is rejected. */
  readonly parameters?: Readonly<Record<string, ParameterDefinition>>;
  /** Set if the query parameters depend on the path. The handler then validates them. */
  readonly anyQuery?: true;
  /** The rate limit of the operation. Default `general`. Changes by signed-in users have an additional limit. */
  readonly limit?: LimitName | 'none';
  /** Set if HEAD must get 405, because the GET has side effects. */
  readonly rejectsHead?: true;
  /** Set if caches must not store the answers. It is not needed for personal operations, whose answers are always private. */
  readonly isPrivate?: true;
  /** Schema of the JSON body of requests. */
  readonly body?: JsonSchema;
  /** Schema of the JSON body of answers; omitted if answers have no body. */
  readonly answer?: JsonSchema;
  /** Media types of answers other than JSON, for example `text/html` for browsers. */
  readonly otherTypes?: readonly string[];
  /** The media type of error answers if these are not problem details, for example images that show the message. */
  readonly failureType?: string;
  /**
   * Returns the HTML page that browsers get for an error. The header `Accept` determines whether a client gets this
   * page or problem details. The page contains no scripts.
   */
  readonly failurePage?: (failure: FailureToShow) => string;
  /** Statuses of successful answers. Default 200. */
  readonly statuses?: readonly number[];
  /** Descriptions of additional headers of successful answers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Error codes of this operation, in addition to the error codes of all operations of this kind. */
  readonly errors?: readonly (ProblemCode | ErrorCode)[];
}

export interface FailureToShow {
  readonly status: number;
  readonly message: string;
  /** The request that failed, and its response with the `locals` that the operation set. */
  readonly http: Request;
  readonly response: Response;
}

export interface OperationRequest {
  /** The real time at which the request arrived. The setting `NOW`, which fixes the time for the data, does not affect it. */
  readonly now: Date;
  readonly parameters: ParameterValues;
  /** The validated body; undefined if the operation has no body schema. */
  readonly body: unknown;
  /** The caller of a `CallerOperation`; undefined for other operations. */
  readonly principal: Principal | undefined;
  /** Aborts if the client disconnects before the answer is written. */
  readonly signal: AbortSignal;
  /** The express request, for data that no other member contains, for example the raw query string. */
  readonly http: Request;
  /** The express response. Use it only to set cookies: the status, other headers and body are those of the returned reply. */
  readonly response: Response;
}

export interface PersonalRequest extends OperationRequest {
  readonly caller: Caller;
}

export interface Reply {
  /**
   * The body of the answer. It is serialized as JSON, unless `type` is set. If it is undefined, the answer has no body.
   */
  readonly body?: unknown;
  /** The type of a body that is already text or bytes. Such a body is sent unchanged. */
  readonly type?:
    | 'html'
    | 'json'
    | 'text/plain'
    | `application/${'vnd.sqlite3' | 'xml' | 'atom+xml'}`
    | `image/${'svg+xml' | 'png'}`;
  /** Sends server-sent events instead of a body, until the iteration ends or the client disconnects. */
  readonly events?: AsyncIterable<ServerEvent>;
  /** Sends the response itself, for example with a stored encoding. Rejects only if nothing was sent, so that the error can be sent. */
  readonly send?: (request: Request, response: Response) => Promise<void>;
  /** The HTTP status. Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the request headers that the answer depends on. */
  readonly vary?: string;
  /** The target of a redirect. */
  readonly location?: string;
}

export interface ServerEvent {
  readonly name: string;
  /** The data of the event, serialized as JSON. */
  readonly data: unknown;
}

/** The names of rate limits per address: for definitions, the playground, lookups, sign-in, and everything else. */
export type LimitName = 'public' | 'playground' | 'lookup' | 'signIn' | 'general';

/** Counts a request against a rate limit. Throws `rate_limited` if the request exceeds it. */
export type ApplyLimit = (request: Request) => Promise<void>;

export interface RateLimits extends Readonly<Record<LimitName, ApplyLimit>> {
  /** The rate limit for changes by one user. */
  readonly change: (request: Request, caller: Caller) => Promise<void>;
}

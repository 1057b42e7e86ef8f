import type { Request, Response } from 'express';
import type { ErrorCode, ParameterDefinition, ParameterValues } from '../../engine/index.js';
import type { JsonSchema } from '../json-schema.js';
import type { ProblemCode } from '../problems/http-problem.js';
import type { Caller } from './caller.js';

/**
 * A hand-written operation, told once: its route, the check of its requests and its place in the machine-readable
 * description come from this.
 */
export type Operation = OpenOperation | PersonalOperation;

/** Anybody may call it. */
export interface OpenOperation extends OperationWords {
  readonly access: 'open';
  readonly handle: (request: OperationRequest) => Reply | Promise<Reply>;
}

/** It needs a credential; `trusted` ones also an operator's word for the caller. */
export interface PersonalOperation extends OperationWords {
  readonly access: 'signed-in' | 'trusted';
  readonly handle: (request: PersonalRequest) => Reply | Promise<Reply>;
}

export interface OperationWords {
  /** The operationId: unique, in words with hyphens. */
  readonly id: string;
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** Such as `/repos/{owner}/{repo}/subscribe/`; served with and without the slash at its end. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Those of the path and of the query; others are refused by name. */
  readonly parameters?: Readonly<Record<string, ParameterDefinition>>;
  /** Whether it takes any query parameter, and checks them itself: what they are depends on the path. */
  readonly anyQuery?: true;
  /** The rate limit of the operation. Changes of signed-in users have another limit in addition. */
  readonly limit?: LimitName;
  /** Whether HEAD gets 405, because a GET has effects. */
  readonly refusesHead?: true;
  /** Whether no cache may keep its answers, as those of personal operations. */
  readonly isPrivate?: true;
  /** What the JSON body of a request must be. */
  readonly body?: JsonSchema;
  /** What the JSON body of the answer is; left out where it has none. */
  readonly answer?: JsonSchema;
  /** Media types of answers that are no JSON, such as `text/html` for browsers. */
  readonly otherTypes?: readonly string[];
  /** Statuses of these answers; 200 when left out. */
  readonly statuses?: readonly number[];
  /** Headers that these answers have, and what they tell. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Codes that it answers beside those that any operation of its kind may answer. */
  readonly errors?: readonly (ProblemCode | ErrorCode)[];
}

export interface OperationRequest {
  /** The real time at which the request arrived, also while `NOW` fixes the time of the data. */
  readonly now: Date;
  readonly parameters: ParameterValues;
  /** As the schema of the operation says; undefined without one. */
  readonly body: unknown;
  /** Aborted when the caller goes away before the answer is written. */
  readonly signal: AbortSignal;
  /** For what nothing else tells, such as the query as it was written. */
  readonly http: Request;
  /** For cookies alone: what is answered is told by the reply. */
  readonly response: Response;
}

export interface PersonalRequest extends OperationRequest {
  readonly caller: Caller;
}

export interface Reply {
  /** Written as JSON, or as it is where it is a page; nothing when left out. */
  readonly body?: unknown;
  /** JSON when left out; `json` for a text that is JSON already. */
  readonly type?: 'html' | 'json';
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the request headers that the answer depends on. */
  readonly vary?: string;
  /** Where a redirect leads. */
  readonly location?: string;
}

/** Limits of the requests of one address: to definitions, to the playground, to lookups and to sign in. */
export type LimitName = 'public' | 'playground' | 'lookup' | 'signIn';

/** Takes one turn of a limit for a request; throws `rate_limited` when its caller has had all rateLimits of the moment. */
export type ApplyLimit = (request: Request) => Promise<void>;

export interface RateLimits extends Readonly<Record<LimitName, ApplyLimit>> {
  /** The limit for the changes of one user. */
  readonly change: (request: Request, caller: Caller) => Promise<void>;
}

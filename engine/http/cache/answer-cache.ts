import type { Engine } from '../../answers/engine.js';
import type { RequestIdentity } from '../../answers/read-answer.js';
import { programWith } from '../../definitions/access/caller-values.js';
import type { ParameterValue } from '../../definitions/definition.js';
import type { CacheRule, Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type RawParameters, rawFromValues } from '../../definitions/parameters/parameter-values.js';
import type { Format } from '../formats/format.js';
import type { Representation, ServedAnswer } from './stored-answer.js';

/** What a request asks for, as read from its target. */
export interface TargetRequest {
  readonly endpoint: Endpoint;
  readonly raw: RawParameters;
  readonly representation: Representation;
  /** The key under which `find` finds the answer: see `keyOfTarget`. */
  readonly target: string;
  /** The generation of the definitions when `endpoint` was found for the target. */
  readonly generation: number;
}

export interface AnswerRequest extends TargetRequest {
  /** Whether the client sent `Cache-Control: no-cache`, so that it waits for the newest version. */
  readonly isNewestRequired: boolean;
  /** Aborts if the client disconnects. The computation continues while another client waits for its result. */
  readonly signal: AbortSignal;
  /** The id of the request in the log. */
  readonly requestId?: string | undefined;
}

/**
 * Returns the key under which `AnswerCache.find` finds the answer to a target: the target as sent. If the client
 * accepts another format than JSON, the key starts with this format.
 */
export function keyOfTarget(target: string, accepted: Format): string {
  return accepted === 'json' ? target : `${accepted} ${target}`;
}

/** Answers requests from stored answers if they are still exact; otherwise computes the answers. */
export interface AnswerCache {
  /**
   * Returns the answer for the key of a target without waiting, if the answer is in memory and exact. If it returns
   * undefined, the caller must call `serve`. The caller must call `use` when it sends the answer.
   */
  find(key: string): ServedAnswer | undefined;
  /**
   * Like `find`, but for answers in Redis. It runs no query, so the caller can call it before the rate limits of the
   * request are checked. Never rejects.
   */
  findShared(request: TargetRequest): Promise<ServedAnswer | undefined>;
  /** Counts the use of an answer that was found for a key, and reports it to the observer of the engine. */
  use(found: ServedAnswer, key: string): void;
  /** Answers a request. Rejects with `EngineError`. */
  serve(request: AnswerRequest): Promise<ServedAnswer>;
}

/** A request that can be answered from the cache. */
export interface CacheableRequest {
  readonly endpoint: Endpoint;
  readonly raw: RawParameters;
  readonly representation: Representation;
  readonly identity: RequestIdentity;
  readonly rule: CacheRule;
  /** Whether the versions must be read again for this request. */
  readonly isNewestRequired: boolean;
  /** The id of the request in the log; undefined for work without a request. */
  readonly requestId: string | undefined;
  /** The cache key. Requests with equal keys share one entry, which contains the newest answer. */
  readonly key: string;
}

/** Reads the parameters of a request. Throws `bad_parameter`. */
export function readCacheable(engine: Engine, request: RequestParts): CacheableRequest {
  const { endpoint, representation, isNewestRequired, requestId } = request;
  const identity = engine.identify(endpoint, request.raw);
  const key = keyOf(endpoint, representation, identity);
  const raw = canonicalParameters(endpoint, identity);
  const rule = engine.cacheRule(endpoint);
  return { endpoint, raw, representation, identity, isNewestRequired, requestId, rule, key };
}

type RequestParts = Pick<AnswerRequest, 'endpoint' | 'raw' | 'representation' | 'isNewestRequired' | 'requestId'>;

/**
 * Returns the cache key of a request. The key does not contain the time, so that today's answer replaces yesterday's
 * answer in the cache. `StoredAnswer.identity` distinguishes both.
 */
function keyOf({ contentHash }: Endpoint, representation: Representation, { parameters }: RequestIdentity): string {
  return JSON.stringify([contentHash, representation, parameters]);
}

/**
 * Returns the parameters as canonical texts, without superfluous zeros, so that a stored request is about as large as its values. The access
 * of the caller was checked, so the program computes the answer again with the values of the caller.
 */
function canonicalParameters({ parameters, definition }: Endpoint, identity: RequestIdentity): RawParameters {
  const given = Object.entries(identity.parameters).filter(
    ([name, value]) => value !== null && Object.hasOwn(parameters, name),
  );
  const raw = rawFromValues(parameters, Object.fromEntries(given) as Record<string, ParameterValue>);
  return definition.access === undefined ? raw : { ...raw, caller: programWith(identity.parameters) };
}

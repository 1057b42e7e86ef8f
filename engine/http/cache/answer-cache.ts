import type { Engine } from '../../answers/engine.js';
import type { RequestIdentity } from '../../answers/read-answer.js';
import { programWith } from '../../definitions/access/caller-values.js';
import type { ParameterValue } from '../../definitions/definition.js';
import type { CacheRule, Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type RawParameters, rawFromValues } from '../../definitions/parameters/parameter-values.js';
import type { Principal } from '../../definitions/principal.js';
import type { Format } from '../formats/format.js';
import type { Representation, ServedAnswer, StoredAnswer } from './stored-answer.js';

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

/** A stored answer that was found without running a query. */
export interface FoundAnswer extends ServedAnswer {
  /** The cache key, see `CacheableRequest`. */
  readonly key: string;
}

/** Answers requests from stored answers if they are still exact; otherwise computes the answers. */
export interface AnswerCache {
  /**
   * Returns the answer for the key of a target without waiting, if the answer is in memory and exact, and this sender of the request can
   * read it. If it returns undefined, the caller must call `serve`. The caller must call `use` when it sends the answer.
   */
  find(target: string, sender?: Principal): FoundAnswer | undefined;
  /**
   * Like `find`, but for answers in Redis. It runs no query, so the caller can call it before the rate limits of the
   * request are checked. Never rejects.
   */
  findShared(request: TargetRequest): Promise<FoundAnswer | undefined>;
  /** Counts the use of an answer that was found, and reports it to the observer of the engine. */
  use(found: FoundAnswer): void;
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
function keyOf(
  { contentHash }: Endpoint,
  representation: Representation,
  { parameters }: Pick<RequestIdentity, 'parameters'>,
): string {
  return JSON.stringify([contentHash, representation, parameters]);
}

/**
 * Returns the cache key of a caller for the same request as that of a stored answer: the key with the values of this caller. Undefined if
 * the caller cannot read the answers of the endpoint.
 */
export function keyOfCaller(
  { endpoint, representation, parameters }: StoredAnswer,
  caller: Principal | undefined,
): string | undefined {
  try {
    return keyOf(endpoint, representation, { parameters: { ...parameters, ...endpoint.readCaller(caller) } });
  } catch {
    // `serve` throws the same error, which states the reason.
    return undefined;
  }
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

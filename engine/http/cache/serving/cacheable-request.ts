import type { Engine } from '../../../answers/engine.js';
import type { RequestIdentity } from '../../../answers/request-identity.js';
import type { ParameterValue } from '../../../definitions/definition.js';
import type { CacheRule } from '../../../definitions/endpoint/cache-rule.js';
import type { Endpoint } from '../../../definitions/endpoint/endpoint.js';
import { type RawParameters, rawFromValues } from '../../../definitions/parameters/parameter-values.js';
import type { AnswerRequest } from '../answer-cache.js';
import type { Representation } from '../stored-answer.js';

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

/** Returns the parameters as canonical texts, without superfluous zeros, so that a stored request is about as large as its values. */
function canonicalParameters({ parameters }: Endpoint, identity: RequestIdentity): RawParameters {
  const given = Object.entries(identity.parameters).filter(([, value]) => value !== null);
  return rawFromValues(parameters, Object.fromEntries(given) as Record<string, ParameterValue>);
}

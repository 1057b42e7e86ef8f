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
  /** Whether versions that were read before the request are not enough. */
  readonly isNewestRequired: boolean;
  /** The id of the request in the log; undefined for work without a request. */
  readonly requestId: string | undefined;
  /** Requests with equal keys have one entry, which contains the newest answer. */
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
 * Returns the key of a request. It does not contain the clock, so that the answer of today replaces the answer of yesterday:
 * they differ in `StoredAnswer.identity`.
 */
function keyOf({ contentHash }: Endpoint, representation: Representation, { parameters }: RequestIdentity): string {
  return JSON.stringify([contentHash, representation, parameters]);
}

/** The parameters as texts, without additional zeros, so that a stored request is not much larger than its values. */
function canonicalParameters({ parameters }: Endpoint, identity: RequestIdentity): RawParameters {
  const given = Object.entries(identity.parameters).filter(([, value]) => value !== null);
  return rawFromValues(parameters, Object.fromEntries(given) as Record<string, ParameterValue>);
}

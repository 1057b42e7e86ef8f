import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import { requireAccess } from '../../definitions/access/require-access.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import type { Principal } from '../../definitions/principal.js';
import type { TargetRequest } from '../cache/answer-cache.js';
import { applyLimits, type LimitSet } from '../limits/request-limits.js';
import type { ApplyLimit } from '../operations/operation.js';

/** Finds out who sends requests for definitions. */
export interface Authentication {
  /** Whether a request has an API key. Such a request is authenticated before it is counted, because a key can have its own limits. */
  hasKey(request: IncomingMessage): boolean;
  /**
   * Returns the caller of a request; undefined if the request has no credential. Throws `HttpProblem`: 401 if the credential is not valid,
   * 503 if it cannot be checked.
   */
  authenticate(request: IncomingMessage, response: ServerResponse): Promise<AuthenticatedCaller | undefined>;
}

export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The limits of the API key of the request; undefined for other credentials, for which the limits per address apply. */
  readonly limits?: LimitSet;
}

/** The authentication of a service without credentials: its definitions are public. */
export const NO_AUTHENTICATION: Authentication = { hasKey: () => false, authenticate: async () => undefined };

/** Checks that the caller can read a definition. Throws the errors of `requireAccess`. */
export async function requireCaller({ definition }: Endpoint, authenticate: Authenticate): Promise<void> {
  if (definition.access !== undefined) requireAccess(definition, (await authenticate())?.principal);
}

/** Counts requests with an API key for the limits of the key, and all others with `publicLimit`. Rejects a key that is not valid. */
export function limitByCaller(publicLimit: ApplyLimit, authentication: Authentication): ApplyLimit {
  return async (request) => {
    const isKnown = request.res !== undefined && authentication.hasKey(request);
    const authenticate = async () => authentication.authenticate(request, request.res as Response);
    const caller = isKnown
      ? await authenticate().catch(async (error: unknown) => {
          // A request without a valid key is counted for its address.
          await publicLimit(request);
          throw error;
        })
      : undefined;
    const { limits } = caller ?? {};
    await (limits === undefined ? publicLimit : applyLimits(limits.limits, limits.onLimited))(request);
  };
}

type Authenticate = () => Promise<AuthenticatedCaller | undefined>;

/**
 * Adds the caller to a request for a definition that is not public. `authenticate` is not called for other definitions. `select` returns the
 * version that answers the caller, as `Engine.select` does. By default, it is the version in the request.
 */
export async function withCaller<T extends Pick<TargetRequest, 'endpoint' | 'raw'>>(
  wanted: T,
  authenticate: Authenticate,
  select: (endpoint: Endpoint, raw: RawParameters) => Endpoint = (endpoint) => endpoint,
): Promise<T> {
  if (wanted.endpoint.definition.access === undefined) return wanted;
  const caller = await authenticate();
  const raw = { ...wanted.raw, caller: caller?.principal };
  return { ...wanted, raw, endpoint: select(wanted.endpoint, raw) };
}

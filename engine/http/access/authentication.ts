import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { type ProtectedDefinition, requireAccess } from '../../definitions/access/require-access.js';
import type { EndpointDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import type { Principal } from '../../definitions/principal.js';
import type { TargetRequest } from '../cache/answer-cache.js';
import type { ClientRequest } from '../limits/client-address.js';
import { applyLimits, type LimitSet } from '../limits/request-limits.js';
import type { ApplyLimit } from '../operations/operation.js';

/** Finds out who sends requests for definitions. */
export interface Authentication {
  /** Whether a request has an API key. Such a request is authenticated before it is counted, because a key can have its own limits. */
  hasKey(request: IncomingMessage): boolean;
  /**
   * Returns the caller of a request with a valid API key, if this is known without waiting. If it returns undefined, `authenticate` must be
   * called.
   */
  known(request: IncomingMessage): AuthenticatedCaller | undefined;
  /**
   * Returns the caller of a request; undefined if the request has no credential. Throws `HttpProblem`: 401 if the credential is not valid,
   * 503 if it cannot be checked.
   */
  authenticate(
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientRequest,
  ): Promise<AuthenticatedCaller | undefined>;
  /** Counts a request for the limit of its definition, `limits.requests`. Throws `rate_limited`. */
  count(definition: EndpointDefinition, client: ClientRequest, caller: Principal | undefined): Promise<void>;
}

export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The limits of the API key of the request; undefined for other credentials, for which the limits per address apply. */
  readonly limits?: LimitSet;
}

/** The authentication of a service without credentials: its definitions are public. */
export const NO_AUTHENTICATION: Authentication = {
  hasKey: () => false,
  known: () => undefined,
  authenticate: async () => undefined,
  count: async () => {},
};

/** The client of a request for a definition. */
export interface RequestingClient {
  /** Returns the caller, see `Authentication.authenticate`. */
  authenticate(): Promise<AuthenticatedCaller | undefined>;
  /** Counts the request for the limit of its definition, see `Authentication.count`. */
  count(definition: EndpointDefinition, caller: Principal | undefined): Promise<void>;
}

/** Returns the client of a request of express. */
export function requestingClientOf(
  authentication: Authentication,
  request: Request,
  response: Response,
): RequestingClient {
  return {
    authenticate: () => authentication.authenticate(request, response, request),
    count: (definition, caller) => authentication.count(definition, request, caller),
  };
}

/** Returns the caller of something that is not public; undefined without a credential, and for everything public. */
export async function callerOf(
  { access }: Pick<ProtectedDefinition, 'access'>,
  client: Pick<RequestingClient, 'authenticate'>,
): Promise<Principal | undefined> {
  return access === undefined ? undefined : (await client.authenticate())?.principal;
}

/** Checks that the caller can read a definition. Throws the errors of `requireAccess`. */
export async function requireCaller(
  { definition }: { readonly definition: ProtectedDefinition },
  client: Pick<RequestingClient, 'authenticate'>,
): Promise<void> {
  requireAccess(definition, await callerOf(definition, client));
}

/** Counts requests with an API key for the limits of the key, and all others with `publicLimit`. Rejects a key that is not valid. */
export function limitByCaller(publicLimit: ApplyLimit, authentication: Authentication): ApplyLimit {
  return async (request) => {
    const isKnown = request.res !== undefined && authentication.hasKey(request);
    const authenticate = async () => authentication.authenticate(request, request.res as Response, request);
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

/**
 * Adds the caller to a request for a definition that is not public, checks its access, and counts the request for the limit of the
 * definition. Throws the errors of `requireAccess`, `credential_invalid` and `rate_limited`. `select` returns
 * the version that answers the caller, as `Engine.select` does. By default, it is the version in the request.
 */
export async function admit<T extends Pick<TargetRequest, 'endpoint' | 'raw'>>(
  wanted: T,
  client: RequestingClient,
  select: (endpoint: Endpoint, raw: RawParameters) => Endpoint = (endpoint) => endpoint,
): Promise<T> {
  const { definition } = wanted.endpoint;
  const caller = await callerOf(definition, client);
  requireAccess(definition, caller);
  if (definition.limits.requests !== undefined) await client.count(definition, caller);
  if (definition.access === undefined) return wanted;
  const raw = { ...wanted.raw, caller };
  return { ...wanted, raw, endpoint: select(wanted.endpoint, raw) };
}

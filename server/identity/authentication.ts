import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { ReadClaims } from '../../accounts/identity/bearer-tokens.js';
import { type ApiKey, idInSecret } from '../../accounts/keys/api-key.js';
import { KeyFile } from '../../accounts/keys/key-file.js';
import type { VerifiedKeys } from '../../accounts/keys/verified-keys.js';
import type { UserRoles } from '../../accounts/user-roles.js';
import { bearerOf, invalidCredentialProblem, throwIdentityProblem } from '../../app-routes/sign-in/bearer.js';
import {
  type FindKeyUser,
  invalidKeyProblem,
  keyOf,
  severalCredentialsProblem,
} from '../../app-routes/sign-in/request-key.js';
import type { AuthenticatedCaller, Authentication } from '../../engine/http/access/authentication.js';
import type { AllRateLimits } from '../../engine/http/limits/request-limits.js';
import type { Identify } from '../../engine/http/operations/caller.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { recordOf } from '../../engine/http/request-record.js';
import { isIdentifying, type Principal } from '../../engine/index.js';
import { type KeySettings, keyLocation } from '../settings/key-location.js';

export interface AuthenticationParts {
  readonly settings: KeySettings;
  /** The real time, which `NOW` does not fix. */
  readonly systemClock: () => Date;
  readonly logger: Pick<Logger, 'warn'>;
  readonly rateLimits: Pick<AllRateLimits, 'ofKey' | 'ofDefinition'>;
  /** Returns the principal of a request without an API key; undefined without a credential. Throws `HttpProblem`. */
  readonly readPrincipal: (request: IncomingMessage, response: ServerResponse) => Promise<Principal | undefined>;
  /** Returns the user of a key that is not in the file of the keys. Absent in a service without users. */
  readonly findKeyUser?: FindKeyUser;
}

/** Creates the authentication by API keys (`X-API-Key`, or `Authorization: Bearer rik_…`) and by the credentials of `readPrincipal`. */
export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { settings, systemClock: clock, logger, rateLimits, readPrincipal, findKeyUser } = parts;
  const onUseError = (err: unknown) => logger.warn({ err }, 'the time of the last use of API keys cannot be stored');
  const stopwatch = () => performance.now();
  const keys = new KeyFile({ ...keyLocation(settings), clock, stopwatch, onUseError });
  const ofKeys = new WeakMap<ApiKey, AuthenticatedCaller>();
  const accept = (key: ApiKey): AuthenticatedCaller => {
    void keys.markUsed(key.id);
    const { id, requestsPerHour: perHour, requestsPerMinute: perMinute } = key;
    const caller = ofKeys.get(key) ?? {
      principal: principalOf(key),
      limits: rateLimits.ofKey({ id, perHour, perMinute }),
    };
    ofKeys.set(key, caller);
    return caller;
  };
  const findCaller: Authentication['authenticate'] = async (request, response, client) => {
    const given = keyOf(request);
    if (given === undefined) {
      const principal = await readPrincipal(request, response);
      return principal && { principal };
    }
    const { text, isOnly, hasForm } = given;
    const key = isOnly ? await keys.find(text).catch(throwUnreadable) : undefined;
    if (key !== undefined) return accept(key);
    const user = isOnly ? await findKeyUser?.(text, client) : undefined;
    if (user !== undefined) return { principal: { ...principalOfUser(user, user.roles), scopes: ['*'] } };
    // A service without keys ignores the header, which a proxy can send for its own purposes.
    const isOfUsers = findKeyUser !== undefined && hasForm;
    if (!isOfUsers && (await keys.isEmpty().catch(throwUnreadable))) return undefined;
    throw isOnly ? invalidKeyProblem() : severalCredentialsProblem();
  };
  // One request can need its caller several times: for its limits, and for its access.
  const callers = new WeakMap<IncomingMessage, ReturnType<Authentication['authenticate']>>();
  return {
    hasKey: (request) => keyOf(request) !== undefined,
    known: (request) => {
      const given = keyOf(request);
      const key = given?.isOnly === true ? keys.findKnown(given.text) : undefined;
      return key && accept(key);
    },
    count: rateLimits.ofDefinition,
    authenticate: async (request, response, client) => {
      const finding = callers.get(request) ?? findCaller(request, response, client);
      callers.set(request, finding);
      const caller = await finding;
      recordOf(response).caller = caller?.principal.id;
      return caller;
    },
  };
}

function throwUnreadable(cause: unknown): never {
  throw new HttpProblem('state_unavailable', 'The API keys cannot be read.', { cause });
}

function principalOf({ id, roles, claims, scopes }: ApiKey): Principal {
  return { id: KEY + id, roles, claims, scopes };
}

/** The beginning of the ids of API keys. */
export const KEY = 'key:';
const WRONG_SUBJECT = `The subject of the token (the claim sub) must be a text that does not start with "${KEY}".`;

/**
 * Creates the reader of principals in bearer tokens. The claim `roles` is a list of texts, or a text with spaces between the roles. A subject
 * cannot be the id of an API key.
 */
export function createTokenPrincipals(readClaims: ReadClaims, clock: () => Date): AuthenticationParts['readPrincipal'] {
  return async (request) => {
    const token = bearerOf(request);
    if (token === undefined) return undefined;
    const { sub, roles, ...claims } = await readClaims(token, clock()).catch(throwIdentityProblem);
    if (!isIdentifying(sub) || sub.startsWith(KEY)) throw invalidCredentialProblem(WRONG_SUBJECT);
    const names = typeof roles === 'string' ? roles.split(' ') : Array.isArray(roles) ? roles : [];
    return {
      id: sub,
      roles: names.filter((role) => typeof role === 'string' && role !== ''),
      claims: { ...claims, sub, roles },
    };
  };
}

/** Creates the reader of the users of the service with the data of GitHub. */
export function createUserPrincipals(
  identify: Identify,
  roles: Pick<UserRoles, 'rolesOf'>,
  clock: () => Date,
): AuthenticationParts['readPrincipal'] {
  return async (request, response) => {
    const { authorization, cookie } = request.headers;
    if (authorization === undefined && cookie === undefined) return undefined;
    // The middleware of sessions needs the response of the request, as express sets it.
    const user = await identify(Object.assign(request, { res: response }) as Request, clock()).catch(ignoreMissing);
    return user && principalOfUser(user, await roles.rolesOf(user));
  };
}

function principalOfUser({ id }: { readonly id: number }, roles: readonly string[]): Principal {
  return { id: `user:${id}`, roles, claims: {} };
}

/** Creates the function that finds the users of API keys in the database, with a limit for secrets that are not valid. */
export function createKeyUserFinder(
  keys: Pick<VerifiedKeys, 'findKnown' | 'find'>,
  limit: AllRateLimits['ofUnknownKeys'],
): FindKeyUser {
  return async (secret, client) => {
    if (idInSecret(secret) === undefined) return undefined;
    const known = keys.findKnown(secret);
    if (known !== undefined) return known;
    limit.require(client);
    const user = await keys.find(secret);
    if (user === undefined) limit.count(client);
    return user;
  };
}

/** A request of a browser can have other cookies than the one of a session. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof HttpProblem && error.code === 'credential_missing') return undefined;
  throw error;
}

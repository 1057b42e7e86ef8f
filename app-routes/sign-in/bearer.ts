import type { Request } from 'express';
import { IdentityError } from '../../accounts/identity/sign-in-provider.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';

/** Returns the token in the header `Authorization`. Throws `credential_invalid` for any other content of the header. */
export function bearerOf({ headersDistinct }: Pick<Request, 'headersDistinct'>): string | undefined {
  const [authorization, ...others] = headersDistinct.authorization ?? [];
  if (authorization === undefined) return undefined;
  // Rejected, because a proxy in front of the service may have checked a different one of the headers.
  if (others.length > 0) throw invalidCredentialProblem('The request has more than one Authorization header.');
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  if (token === undefined)
    throw invalidCredentialProblem('The header Authorization must contain "Bearer" and a token.');
  return token;
}

/** Creates a problem with status 401 and the header that RFC 6750 requires. */
export function invalidCredentialProblem(message: string): HttpProblem {
  const headers = { 'WWW-Authenticate': 'Bearer realm="repo-insight", error="invalid_token"' };
  return new HttpProblem('credential_invalid', message, { headers });
}

/** Rethrows an `IdentityError` as an HTTP problem, and any other error unchanged. */
export function throwIdentityProblem(error: unknown): never {
  if (!(error instanceof IdentityError)) throw error;
  if (error.code === 'credential_invalid') throw invalidCredentialProblem(error.message);
  throw new HttpProblem(error.code, error.message, { ...(error.cause !== undefined && { cause: error.cause }) });
}

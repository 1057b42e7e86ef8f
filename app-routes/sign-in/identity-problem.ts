import { IdentityError } from '../../accounts/identity/identity-error.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';

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

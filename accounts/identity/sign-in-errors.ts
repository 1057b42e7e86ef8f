import * as oidc from 'openid-client';
import { IdentityError } from './sign-in-provider.js';

/** Maps an error of a sign-in callback to `sign_in_failed` or `identity_unavailable`. */
export function toIdentityError(error: unknown): IdentityError {
  if (error instanceof IdentityError)
    return error.code === 'credential_invalid' ? createSignInError(error.message) : error;
  if (error instanceof oidc.AuthorizationResponseError)
    return createSignInError(`the provider sent the error ${describeCode(error.error)}`);
  if (error instanceof oidc.ResponseBodyError && error.status < 500 && !CONFIGURATION_ERRORS.has(error.error)) {
    return createSignInError(`the provider sent the error ${describeCode(error.error)}`);
  }
  if (error instanceof oidc.ClientError && !UNAVAILABLE_CODES.has(error.code ?? ''))
    return createSignInError(error.message, describeClaim(error));
  return createUnavailableError(error);
}

/** Creates `sign_in_failed`. `why` is the reason without a final full stop. `detail` is only logged. */
export function createSignInError(why: string, detail?: string): IdentityError {
  const message = `The sign-in failed: ${why.replace(/\.$/, '')}. Start again at /sign-in/.`;
  return new IdentityError('sign_in_failed', message, detail === undefined ? {} : { cause: new Error(detail) });
}

/** Creates `identity_unavailable`. The reason becomes its cause, which is only logged. */
export function createUnavailableError(error: unknown, message = NO_ANSWER): IdentityError {
  const cause = new Error(describeCause(error));
  return new IdentityError('identity_unavailable', message, { cause });
}

const NO_ANSWER = 'The sign-in provider does not answer at the moment.';

/** Returns the name of the claim or member that the library rejected. The value of the claim is not logged. */
function describeClaim(error: Error): string | undefined {
  for (let cause: unknown = error.cause; cause instanceof Object; cause = (cause as Error).cause) {
    const { claim, attribute } = cause as { readonly claim?: unknown; readonly attribute?: unknown };
    const name = claim ?? attribute;
    if (typeof name === 'string') return `the claim "${describeCode(name)}" has a wrong value`;
  }
  return undefined;
}

/**
 * Describes a failure for the log. Errors of the library and JSON errors can contain responses, and responses may contain a token, so texts
 * of errors are not logged.
 */
function describeCause(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return `status ${error.status}, error ${describeCode(error.error)}`;
  if (error instanceof SyntaxError) return 'invalid JSON';
  if (!(error instanceof Error)) return String((error as { readonly status?: unknown } | undefined)?.status ?? '');
  const reason = describeCause(error.cause);
  return reason === '' ? error.message : `${error.message}: ${reason}`;
}

/**
 * Errors that mean wrong settings of this service, which the operator must see. `incorrect_client_credentials` is a
 * code that only GitHub uses.
 */
const CONFIGURATION_ERRORS = new Set(['invalid_client', 'incorrect_client_credentials']);

/** Error codes of the library for an unavailable provider. */
const UNAVAILABLE_CODES = new Set([
  '',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** Returns an external error code only if it has the form of a standard code. */
function describeCode(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : '(unknown)';
}

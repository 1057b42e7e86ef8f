import * as oidc from 'openid-client';
import { IdentityError } from './identity-error.js';

/** What went wrong while a browser came back: `sign_in_failed` or `identity_unavailable`. */
export function explain(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error.code === 'credential_invalid' ? failed(error.message) : error;
  if (error instanceof oidc.AuthorizationResponseError) return failed(`the provider says ${codeOf(error.error)}`);
  if (error instanceof oidc.ResponseBodyError && error.status < 500 && !OURS.has(error.error)) {
    return failed(`the provider says ${codeOf(error.error)}`);
  }
  if (error instanceof oidc.ClientError && !AWAY.has(error.code ?? '')) return failed(error.message);
  return unavailable(error);
}

export function failed(why: string): IdentityError {
  return new IdentityError(
    'sign_in_failed',
    `The sign-in failed: ${why.replace(/\.$/, '')}. Start again at /sign-in/.`,
  );
}

export function unavailable(error: unknown): IdentityError {
  const cause = new Error(reasonOf(error));
  return new IdentityError('identity_unavailable', 'The provider of sign-in does not answer at the moment.', { cause });
}

/** What failed, for the log. Errors of the library carry whole answers, and errors of JSON quote them: they may hold a token. */
function reasonOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return `status ${error.status}, error ${codeOf(error.error)}`;
  if (error instanceof SyntaxError) return 'no JSON';
  if (!(error instanceof Error)) return String((error as { readonly status?: unknown } | undefined)?.status ?? '');
  const reason = reasonOf(error.cause);
  return reason === '' ? error.message : `${error.message}: ${reason}`;
}

/** The settings of this service are wrong, which operators have to see; the second is GitHub's word for it. */
const OURS = new Set(['invalid_client', 'incorrect_client_credentials']);

const AWAY = new Set([
  '',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** An error that came from outside is shown only if it has the form of a standard code. */
function codeOf(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : 'that it failed';
}

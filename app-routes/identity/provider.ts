import * as oidc from 'openid-client';
import type { Account } from '../../warehouse/state/users.js';
import { HttpProblem } from '../http-problem.js';
import type { PendingSignIn } from './pending-sign-in.js';
import { accountOf } from './tokens.js';

export interface ProviderRules {
  /** The URL of the provider, which describes itself below it (OpenID Connect Discovery). */
  readonly issuer: URL;
  readonly clientId: string;
  /** Left out for a public client. */
  readonly clientSecret?: string;
  readonly scopes: string;
  /** Where the provider sends browsers back to. */
  readonly callbackUrl: URL;
  /** Seconds by which the clocks of provider and service may differ. */
  readonly clockSkew: number;
}

export type SignInChecks = Omit<PendingSignIn, 'returnTo'>;

/** Where people sign in: an OpenID Connect provider, by the code flow with PKCE. */
export interface SignInProvider {
  /** Where a browser goes to sign in. Throws `identity_unavailable`. */
  addressFor(checks: SignInChecks): Promise<URL>;
  /** Who came back with these query parameters. Throws `sign_in_failed` or `identity_unavailable`. */
  accountOf(query: string, checks: SignInChecks): Promise<Account>;
}

export function createSignInProvider(rules: ProviderRules): SignInProvider {
  const { callbackUrl, scopes } = rules;
  const provider = discoveredProvider(rules);
  return {
    addressFor: async ({ state, nonce, verifier }) =>
      oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: callbackUrl.href,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    accountOf: async (query, { state, nonce, verifier }) => {
      const configuration = await provider();
      const cameBack = new URL(`?${query}`, callbackUrl);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      try {
        return await readAccount(configuration, await oidc.authorizationCodeGrant(configuration, cameBack, checks));
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** What the ID token says, and beside it what the provider tells of a user. */
async function readAccount(configuration: oidc.Configuration, tokens: Tokens): Promise<Account> {
  const claims = tokens.claims();
  if (claims === undefined) throw failed('the provider sent no ID token');
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  return accountOf({ ...claims, ...more, iss: claims.iss, iat: claims.iat });
}

const TIMEOUT_SECONDS = 5;
/** So that a provider may change its addresses. */
const KEPT_MS = 3_600_000;

/** The provider as it describes itself; asked for when it is needed, by one at a time. */
function discoveredProvider(rules: ProviderRules): () => Promise<oidc.Configuration> {
  let known: { readonly configuration: Promise<oidc.Configuration>; readonly until: number } | undefined;
  return () => {
    if (known !== undefined && performance.now() < known.until) return known.configuration;
    const configuration = discover(rules).catch((error: unknown) => {
      known = undefined;
      throw unavailable(error);
    });
    known = { configuration, until: performance.now() + KEPT_MS };
    return configuration;
  };
}

function discover({ issuer, clientId, clientSecret, clockSkew }: ProviderRules): Promise<oidc.Configuration> {
  const metadata = { [oidc.clockTolerance]: clockSkew, ...(clientSecret && { client_secret: clientSecret }) };
  // Without it the signature of an ID token that comes by TLS is not looked at.
  const execute = [oidc.enableNonRepudiationChecks];
  if (issuer.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
  const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretPost(clientSecret);
  return oidc.discovery(issuer, clientId, metadata, authentication, { execute, timeout: TIMEOUT_SECONDS });
}

function explain(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error.code === 'credential_invalid' ? failed(error.message) : error;
  if (error instanceof oidc.AuthorizationResponseError) return failed(`the provider says ${codeOf(error.error)}`);
  if (error instanceof oidc.ResponseBodyError && error.status < 500 && error.error !== 'invalid_client') {
    return failed(`the provider says ${codeOf(error.error)}`);
  }
  if (error instanceof oidc.ClientError && !AWAY.has(error.code ?? '')) return failed(error.message);
  return unavailable(error);
}

const AWAY = new Set([
  '',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** What came with the browser is shown only where it is a code of the standard's form. */
function codeOf(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : 'that it failed';
}

function failed(why: string): HttpProblem {
  return new HttpProblem('sign_in_failed', `The sign-in failed: ${why}. Start again at /sign-in/.`);
}

function unavailable(cause: unknown): HttpProblem {
  return new HttpProblem('identity_unavailable', 'The provider of sign-in does not answer for the moment.', { cause });
}

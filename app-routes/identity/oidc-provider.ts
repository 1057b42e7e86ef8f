import * as oidc from 'openid-client';
import type { Account } from '../../warehouse/state/users.js';
import { ANSWER_SECONDS, fetchAnswer } from './provider-fetch.js';
import { explain, failed, unavailable } from './sign-in-errors.js';
import type { SignInClient, SignInProvider } from './sign-in-provider.js';
import { accountOf } from './tokens.js';

export interface OidcRules extends SignInClient {
  /** The URL of the provider, which describes itself below it (OpenID Connect Discovery). */
  readonly issuer: URL;
  readonly scopes: string;
  /** Seconds by which the clocks of provider and service may differ. */
  readonly clockSkew: number;
}

/** A provider that describes itself and signs who somebody is. */
export function createOidcProvider(rules: OidcRules): SignInProvider {
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

/** So that a provider may change its addresses. */
const KEPT_MS = 3_600_000;

/** The provider as it describes itself; asked for when it is needed, by one at a time. */
function discoveredProvider(rules: OidcRules): () => Promise<oidc.Configuration> {
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

function discover({ issuer, clientId, clientSecret, clockSkew }: OidcRules): Promise<oidc.Configuration> {
  const metadata = { [oidc.clockTolerance]: clockSkew, ...(clientSecret && { client_secret: clientSecret }) };
  // Without it the signature of an ID token that comes by TLS is not looked at.
  const execute = [oidc.enableNonRepudiationChecks];
  if (issuer.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
  const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretPost(clientSecret);
  return oidc.discovery(issuer, clientId, metadata, authentication, {
    execute,
    timeout: ANSWER_SECONDS,
    [oidc.customFetch]: fetchAnswer,
  });
}

import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { Account } from '../users.js';
import { accountOf, withUserInfo } from './account-from-claims.js';
import { ANSWER_SECONDS, clientFetch } from './provider-fetch.js';
import { publishedKeys } from './published-keys.js';
import { explain, failed, unavailable } from './sign-in-errors.js';
import type { SignInClient, SignInProvider } from './sign-in-provider.js';
import { PUBLISHED_ALGORITHMS, verifyToken } from './verify-token.js';

export interface OidcRules extends SignInClient {
  /** The URL of the provider, which describes itself below it (OpenID Connect Discovery). */
  readonly issuer: URL;
  readonly scopes: string;
  /** Seconds by which the clocks of provider and service may differ. */
  readonly clockSkew: number;
}

/** A provider that describes itself, and signs whom it has identified. */
export function createOidcProvider(rules: OidcRules): SignInProvider {
  const { callbackUrl, scopes } = rules;
  const provider = discoveredProvider(rules);
  return {
    addressFor: async ({ state, nonce, verifier }) =>
      oidc.buildAuthorizationUrl((await provider()).configuration, {
        redirect_uri: callbackUrl.href,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    accountOf: async (query, { state, nonce, verifier }) => {
      const discovered = await provider();
      const cameBack = new URL(`?${query}`, callbackUrl);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      try {
        const tokens = await oidc.authorizationCodeGrant(discovered.configuration, cameBack, checks);
        return await readAccount(discovered, tokens, rules);
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

interface Discovered {
  readonly configuration: oidc.Configuration;
  /** Those that the provider publishes. */
  readonly keys: JWTVerifyGetKey;
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** The account that the ID token and the user info endpoint describe. */
async function readAccount({ configuration, keys }: Discovered, tokens: Tokens, rules: OidcRules): Promise<Account> {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw failed('the provider sent no ID token');
  await verifyToken(tokens.id_token, keys, {
    algorithms: PUBLISHED_ALGORITHMS,
    types: ['jwt'],
    clockSkew: rules.clockSkew,
  });
  requireOwn(claims, rules.clientId);
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  return accountOf(withUserInfo(claims as JWTPayload, more));
}

/** OpenID Connect Core, 3.1.3.7: an ID token is for this client, for no other one beside it, and requested by no other one. */
function requireOwn({ aud, azp }: Readonly<Record<string, unknown>>, clientId: string): void {
  if ([aud].flat().some((audience) => audience !== clientId)) {
    throw failed('the ID token is for another client too (claim "aud")');
  }
  if (azp !== undefined && azp !== clientId) {
    throw failed('the ID token was issued to another client (claim "azp")');
  }
}

/** So that a provider may change its addresses. */
const KEPT_MS = 3_600_000;

/** The provider as it describes itself; requested when it is needed, once for all who need it at that time. */
function discoveredProvider(rules: OidcRules): () => Promise<Discovered> {
  let known: { readonly discovered: Promise<Discovered>; readonly until: number } | undefined;
  return () => {
    if (known !== undefined && performance.now() < known.until) return known.discovered;
    const discovered = discover(rules).catch((error: unknown) => {
      known = undefined;
      throw unavailable(error);
    });
    known = { discovered, until: performance.now() + KEPT_MS };
    return discovered;
  };
}

async function discover({ issuer, clientId, clientSecret, clockSkew, fetch }: OidcRules): Promise<Discovered> {
  const metadata = { [oidc.clockTolerance]: clockSkew, ...(clientSecret && { client_secret: clientSecret }) };
  const isInsecure = issuer.protocol === 'http:';
  const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretPost(clientSecret);
  const configuration = await oidc.discovery(issuer, clientId, metadata, authentication, {
    execute: isInsecure ? [oidc.allowInsecureRequests] : [],
    timeout: ANSWER_SECONDS,
    [oidc.customFetch]: clientFetch(fetch),
  });
  const { jwks_uri: jwksUrl = '' } = configuration.serverMetadata();
  // Anybody on the way could replace keys that come without encryption.
  if (!URL.canParse(jwksUrl) || !(isInsecure ? /^https?:/ : /^https:/).test(jwksUrl)) {
    throw new Error('The provider must publish its keys at an https URL (jwks_uri).');
  }
  return { configuration, keys: publishedKeys({ jwksUrl, fetch }) };
}

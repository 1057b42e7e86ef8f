import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { Account } from '../users.js';
import { mergeUserInfo, readAccountFromClaims } from './account-from-claims.js';
import { createPublishedKeys } from './published-keys.js';
import { createSignInError, createUnavailableError, toIdentityError } from './sign-in-errors.js';
import {
  adaptFetch,
  IdentityError,
  REQUEST_TIMEOUT_SECONDS,
  type SignInClient,
  type SignInProvider,
} from './sign-in-provider.js';
import { PUBLISHED_ALGORITHMS, verifyToken } from './verify-token.js';

/** Settings of an OpenID Connect provider. */
export interface OidcProviderOptions extends SignInClient {
  /** The issuer URL of the provider, from which discovery starts (OpenID Connect Discovery). */
  readonly issuer: URL;
  readonly scopes: string;
  /** Whether this provider is also the issuer of the bearer tokens. */
  readonly isTokenIssuer: boolean;
  /** The maximum difference between the clocks of the provider and this service, in seconds. */
  readonly clockSkew: number;
}

/** Creates an OpenID Connect provider. Its endpoints and keys come from discovery. */
export function createOidcProvider(options: OidcProviderOptions): SignInProvider {
  const { callbackUrl, scopes } = options;
  const discoverOnce = createDiscovery(options);
  return {
    createAuthorizationUrl: async ({ state, nonce, verifier }) =>
      oidc.buildAuthorizationUrl((await discoverOnce()).configuration, {
        redirect_uri: callbackUrl.href,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    completeSignIn: async (query, { state, nonce, verifier }, clock) => {
      const discovered = await discoverOnce();
      const callback = new URL(`?${query}`, callbackUrl);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      try {
        const tokens = await oidc.authorizationCodeGrant(discovered.configuration, callback, checks);
        return await readAccount(discovered, tokens, options, clock());
      } catch (error) {
        throw toIdentityError(error);
      }
    },
  };
}

interface Discovered {
  readonly configuration: oidc.Configuration;
  /** The published keys of the provider. */
  readonly keys: JWTVerifyGetKey;
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** Reads the account from the ID token and the user info endpoint. */
async function readAccount(
  { configuration, keys }: Discovered,
  tokens: Tokens,
  options: OidcProviderOptions,
  now: Date,
): Promise<Account> {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw createSignInError('the provider sent no ID token');
  await verifyToken(tokens.id_token, keys, {
    algorithms: PUBLISHED_ALGORITHMS,
    types: ['jwt'],
    clockSkew: options.clockSkew,
    now,
  });
  requireOwnToken(claims, options.clientId);
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const userInfo = hasUserInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  return readAccountFromClaims(mergeUserInfo(claims as JWTPayload, userInfo), now, options.isTokenIssuer);
}

/** OpenID Connect Core, section 3.1.3.7: an ID token must be issued to this client only. */
function requireOwnToken({ aud, azp }: Readonly<Record<string, unknown>>, clientId: string): void {
  if ([aud].flat().some((audience) => audience !== clientId)) {
    throw createSignInError('the ID token is also for another client (claim "aud")');
  }
  if (azp !== undefined && azp !== clientId) {
    throw createSignInError('the ID token was issued to another client (claim "azp")');
  }
}

/** Discovery is repeated every hour, because a provider may change its endpoints. */
const CACHE_MS = 3_600_000;

/**
 * Returns a function that runs discovery on first use. Concurrent callers share one request; a failure is not cached.
 */
function createDiscovery(options: OidcProviderOptions): () => Promise<Discovered> {
  let cached: { readonly discovered: Promise<Discovered>; readonly until: number } | undefined;
  return () => {
    if (cached !== undefined && performance.now() < cached.until) return cached.discovered;
    const discovered = discover(options).catch((error: unknown) => {
      cached = undefined;
      throw error instanceof IdentityError ? error : createUnavailableError(error);
    });
    cached = { discovered, until: performance.now() + CACHE_MS };
    return discovered;
  };
}

async function discover({
  issuer,
  clientId,
  clientSecret,
  clockSkew,
  fetch,
}: OidcProviderOptions): Promise<Discovered> {
  const metadata = { [oidc.clockTolerance]: clockSkew, ...(clientSecret && { client_secret: clientSecret }) };
  const isInsecure = issuer.protocol === 'http:';
  const authentication = clientSecret === undefined ? oidc.None() : authenticateWith(clientSecret);
  const configuration = await oidc.discovery(issuer, clientId, metadata, authentication, {
    execute: isInsecure ? [oidc.allowInsecureRequests] : [],
    timeout: REQUEST_TIMEOUT_SECONDS,
    [oidc.customFetch]: adaptFetch(fetch),
  });
  const server = configuration.serverMetadata();
  requireUsable(server, isInsecure ? /^https?:/ : /^https:/);
  return { configuration, keys: createPublishedKeys({ jwksUrl: String(server.jwks_uri), fetch }) };
}

const REQUIRED_URLS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Checks the metadata from discovery, because the library only checks the issuer. The URLs must use TLS: otherwise an attacker in the
 * network could replace keys and read codes.
 */
function requireUsable(server: oidc.ServerMetadata, secure: RegExp): void {
  const optional = server.userinfo_endpoint === undefined ? [] : (['userinfo_endpoint'] as const);
  for (const name of [...REQUIRED_URLS, ...optional]) {
    const url: unknown = server[name];
    if (typeof url !== 'string' || !URL.canParse(url) || !secure.test(url)) {
      throw unusableDiscovery(`an https URL as ${name}`);
    }
  }
  const methods: unknown = server.token_endpoint_auth_methods_supported;
  if (methods !== undefined && !Array.isArray(methods)) {
    throw unusableDiscovery('a list as token_endpoint_auth_methods_supported');
  }
}

function unusableDiscovery(expected: string): IdentityError {
  const message = 'The sign-in provider describes itself wrongly. The log contains the reason.';
  return createUnavailableError(new Error(`The discovery document of the provider must have ${expected}.`), message);
}

/**
 * Sends the client secret in the request body, or in a header if the provider does not support the body. `client_secret_basic` is the
 * default of a provider that lists no methods (OpenID Connect Discovery, section 3).
 */
function authenticateWith(secret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_post') ? post : basic)(server, ...request);
  };
}

import * as oauth from 'openid-client';
import type { Account } from '../users.js';
import {
  MAX_SUBJECT_LENGTH,
  MAX_TEXT_LENGTH,
  readAccountId,
  readDisplayName,
  readEmailAddress,
  readLogin,
  readPictureUrl,
} from './account-fields.js';
import { createSignInError, createUnavailableError, toIdentityError } from './sign-in-errors.js';
import { adaptFetch, REQUEST_TIMEOUT_SECONDS, type SignInClient, type SignInProvider } from './sign-in-provider.js';

/** Settings of a provider of plain OAuth 2. */
export interface OauthProviderOptions extends SignInClient {
  readonly authorizationUrl: URL;
  readonly tokenUrl: URL;
  /**
   * The URL that returns the user of an access token. It returns JSON with `id` and `login`, optionally with `name`, `email` and
   * `avatar_url`.
   */
  readonly userUrl: URL;
  /** The requested scopes, separated by spaces; may be empty. */
  readonly scopes: string;
  /** The name of the provider in stored accounts. Tokens with the subject `provider|id` belong to the same accounts. */
  readonly provider: string;
}

/** Creates a provider of plain OAuth 2, without discovery and ID tokens. */
export function createOauthProvider(options: OauthProviderOptions): SignInProvider {
  const { callbackUrl, scopes, userUrl, provider } = options;
  const configuration = configure(options);
  const readsEmails = scopes.split(/[ ,]+/).some((scope) => EMAIL_SCOPES.includes(scope));
  return {
    createAuthorizationUrl: async ({ state, verifier }) =>
      oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl.href,
        ...(scopes !== '' && { scope: scopes }),
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    completeSignIn: async (query, { state, verifier }, clock) => {
      const callback = new URL(`?${query}`, callbackUrl);
      // Some providers send `iss` (RFC 9207). The service does not know the expected issuer of a plain OAuth provider,
      // and it has only one provider, so it ignores `iss`.
      callback.searchParams.delete('iss');
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      try {
        const { access_token: token } = await oauth.authorizationCodeGrant(configuration, callback, checks);
        const user = await fetchUser(configuration, token, userUrl);
        const isPrivate = readsEmails && (user.email ?? '') === '';
        const email = isPrivate ? await fetchEmail(options.fetch, token, userUrl) : user.email;
        return toAccount({ ...user, email }, provider, clock());
      } catch (error) {
        throw toIdentityError(error);
      }
    },
  };
}

function configure(options: OauthProviderOptions): oauth.Configuration {
  const { authorizationUrl, tokenUrl, userUrl, clientId, clientSecret, fetch } = options;
  const server = {
    // The library requires an issuer but does not compare this value with anything.
    issuer: authorizationUrl.origin,
    authorization_endpoint: authorizationUrl.href,
    token_endpoint: tokenUrl.href,
  };
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret);
  const configuration = new oauth.Configuration(server, clientId, undefined, authentication);
  configuration.timeout = REQUEST_TIMEOUT_SECONDS;
  configuration[oauth.customFetch] = createJsonFetch(adaptFetch(fetch));
  const isInsecure = [authorizationUrl, tokenUrl, userUrl].some(({ protocol }) => protocol === 'http:');
  if (isInsecure) oauth.allowInsecureRequests(configuration);
  return configuration;
}

type Json = Readonly<Record<string, unknown>>;

async function fetchUser(configuration: oauth.Configuration, token: string, url: URL): Promise<Json> {
  // An invalid header would cause an error that contains the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw createSignInError('the provider sent an invalid access token');
  const headers = new Headers({ Accept: 'application/json' });
  const response = await oauth.fetchProtectedResource(configuration, token, url, 'GET', null, headers);
  if (response.status === 200) return (await response.json()) as Json;
  throw createUnavailableError(new Error(`The provider returned no user: status ${response.status}.`));
}

/** The scopes of GitHub with which a client may read private e-mail addresses. */
const EMAIL_SCOPES = ['user', 'user:email'];

/**
 * Fetches the primary verified e-mail address of a user without a public address. Reads `/emails` below the user URL, as GitHub provides
 * it. Returns undefined if the provider has no such list, because users need no address.
 */
async function fetchEmail(fetch: SignInClient['fetch'], token: string, userUrl: URL): Promise<unknown> {
  const url = new URL(userUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/emails`;
  const response = await fetch(url, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_SECONDS * 1_000),
  });
  // Fails for temporary errors, because without the list, the stored address would be deleted. GitHub answers 403 or 429 at a rate limit,
  // and 403 or 404 without permission.
  const isLimited = response.status === 429 || response.headers.has('retry-after');
  if (isLimited || response.headers.get('x-ratelimit-remaining') === '0' || response.status >= 500)
    throw new Error(`The provider returned no e-mail addresses: status ${response.status}.`);
  const list: unknown = response.status === 200 ? await response.json() : [];
  const addresses = (Array.isArray(list) ? list : []) as readonly (Json | null)[];
  return addresses.find((one) => one?.primary === true && one.verified === true)?.email;
}

/**
 * Accepts only JSON objects. Changes the status of an error that the provider sends with status 200. The errors of this function never
 * contain the response.
 */
function createJsonFetch(request: oauth.CustomFetch): oauth.CustomFetch {
  return async (url, options) => {
    const response = await request(url, options);
    const { status } = response;
    const answer = parseObject(await response.text());
    if (answer === undefined) throw new Error(`The provider sent no JSON object: status ${status}.`);
    const isError = status === 200 && typeof answer.error === 'string';
    return isError ? Response.json({ error: answer.error }, { status: 400 }) : Response.json(answer, { status });
  };
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function toAccount(user: Json, provider: string, now: Date): Account {
  return {
    provider,
    accountId: requireId(user, provider),
    login: requireLogin(user),
    name: readDisplayName(user.name),
    email: readEmailAddress(user.email),
    avatarUrl: readPictureUrl(user.avatar_url),
    profileAt: now,
  };
}

function requireId({ id }: Json, provider: string): string {
  const maxLength = MAX_SUBJECT_LENGTH - `${provider}|`.length;
  // JSON parsing rounds larger numbers, so the result could be the id of another user.
  const validId = Number.isSafeInteger(id) ? String(id) : readAccountId(id, maxLength);
  if (validId !== undefined) return validId;
  throw createSignInError(
    `the provider must send the "id" of the user: a whole number below 2^53, or text of 1 to ${maxLength} characters`,
  );
}

function requireLogin({ login }: Json): string {
  const validLogin = readLogin(login);
  if (validLogin !== undefined) return validLogin;
  throw createSignInError(
    `the provider must send the "login" of the user: text of 1 to ${MAX_TEXT_LENGTH} visible characters`,
  );
}

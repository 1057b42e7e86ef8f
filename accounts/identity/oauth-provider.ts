import * as oauth from 'openid-client';
import type { Account } from '../users.js';
import {
  accountId,
  displayName,
  emailAddress,
  readLogin,
  MAX_SUBJECT_LENGTH,
  MAX_TEXT_LENGTH,
  pictureAddress,
} from './account-fields.js';
import { ANSWER_SECONDS, clientFetch } from './provider-fetch.js';
import { explain, failed, unavailable } from './sign-in-errors.js';
import type { SignInClient, SignInProvider } from './sign-in-provider.js';

export interface OauthRules extends SignInClient {
  readonly authorizationUrl: URL;
  readonly tokenUrl: URL;
  /** Tells of the user of an access token: JSON with `id` and `login`, and with `name`, `email` and `avatar_url` if it likes. */
  readonly userUrl: URL;
  /** Words that are asked for; empty for none. */
  readonly scopes: string;
  /** The name of the provider in accounts: that of `id` is the one of tokens whose subject is `provider|id`. */
  readonly provider: string;
}

/** A provider of plain OAuth 2, which neither describes itself nor sends ID tokens. */
export function createOauthProvider(rules: OauthRules): SignInProvider {
  const { callbackUrl, scopes, userUrl, provider } = rules;
  const configuration = configure(rules);
  return {
    addressFor: async ({ state, verifier }) =>
      oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl.href,
        ...(scopes !== '' && { scope: scopes }),
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    accountOf: async (query, { state, verifier }) => {
      const cameBack = new URL(`?${query}`, callbackUrl);
      // Some name themselves there (RFC 9207). What they have to say is nowhere published, and there is only one of them.
      cameBack.searchParams.delete('iss');
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      try {
        const { access_token: token } = await oauth.authorizationCodeGrant(configuration, cameBack, checks);
        return accountOf(await fetchUser(configuration, token, userUrl), provider);
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

function configure(rules: OauthRules): oauth.Configuration {
  const { authorizationUrl, tokenUrl, userUrl, clientId, clientSecret, fetch } = rules;
  const server = {
    // Every server has to have one; here it is compared with nothing.
    issuer: authorizationUrl.origin,
    authorization_endpoint: authorizationUrl.href,
    token_endpoint: tokenUrl.href,
  };
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret);
  const configuration = new oauth.Configuration(server, clientId, undefined, authentication);
  configuration.timeout = ANSWER_SECONDS;
  configuration[oauth.customFetch] = jsonFetch(clientFetch(fetch));
  const isInsecure = [authorizationUrl, tokenUrl, userUrl].some(({ protocol }) => protocol === 'http:');
  if (isInsecure) oauth.allowInsecureRequests(configuration);
  return configuration;
}

type Json = Readonly<Record<string, unknown>>;

async function fetchUser(configuration: oauth.Configuration, token: string, url: URL): Promise<Json> {
  // Any other would be shown by the error that it makes of a header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw failed('the provider sent an access token that cannot be used');
  const headers = new Headers({ Accept: 'application/json' });
  const response = await oauth.fetchProtectedResource(configuration, token, url, 'GET', null, headers);
  if (response.status === 200) return (await response.json()) as Json;
  throw unavailable(new Error(`The provider tells of no user: status ${response.status}.`));
}

/** Accepts only JSON, and corrects the status of providers that send errors with 200. Its errors do not quote the answer. */
function jsonFetch(request: oauth.CustomFetch): oauth.CustomFetch {
  return async (url, options) => {
    const response = await request(url, options);
    const { status } = response;
    const answer = jsonObject(await response.text());
    if (answer === undefined) throw new Error(`The provider answers with status ${status} and no JSON object.`);
    const isError = status === 200 && typeof answer.error === 'string';
    return isError ? Response.json({ error: answer.error }, { status: 400 }) : Response.json(answer, { status });
  };
}

function jsonObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function accountOf(user: Json, provider: string): Account {
  return {
    provider,
    accountId: idOf(user, provider),
    login: loginOf(user),
    name: displayName(user.name),
    email: emailAddress(user.email),
    avatarUrl: pictureAddress(user.avatar_url),
    toldAt: new Date(),
  };
}

function idOf({ id }: Json, provider: string): string {
  const most = MAX_SUBJECT_LENGTH - `${provider}|`.length;
  // A larger number was rounded, and may be the id of another user.
  const kept = Number.isSafeInteger(id) ? String(id) : accountId(id, most);
  if (kept !== undefined) return kept;
  throw failed(
    `the provider must name the "id" of a user, a whole number below 2^53 or text of 1 to ${most} characters`,
  );
}

function loginOf({ login }: Json): string {
  const kept = readLogin(login);
  if (kept !== undefined) return kept;
  throw failed(
    `the provider must name the "login" of a user as text of 1 to ${MAX_TEXT_LENGTH} characters that can be seen`,
  );
}

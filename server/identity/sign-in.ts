import { FailedSignIns } from '../../accounts/failed-sign-ins.js';
import { createOauthProvider } from '../../accounts/identity/oauth-provider.js';
import { createOidcProvider } from '../../accounts/identity/oidc-provider.js';
import type { SignInProvider } from '../../accounts/identity/sign-in-provider.js';
import { SESSION_IDLE_MS, Sessions } from '../../accounts/sessions.js';
import type { StateStore } from '../../accounts/state-store.js';
import { UsedSignIns } from '../../accounts/used-sign-ins.js';
import type { Users } from '../../accounts/users.js';
import { type BrowserSessions, createBrowserSessions } from '../../app-routes/sign-in/browser-sessions.js';
import { createPendingSignIns } from '../../app-routes/sign-in/pending-sign-in.js';
import { signInOperations } from '../../app-routes/sign-in/sign-in.js';
import type { Operation } from '../../engine/http/operations/operation.js';
import type { Database } from '../../engine/index.js';
import type { Settings } from '../settings/settings.js';
import { CLOCK_SKEW_SECONDS } from '../settings/timeouts.js';
import { PROVIDER_FETCH, readOrCreateSecret } from './token-rules.js';

/** The sign-in for browsers. */
export interface SignIn {
  readonly operations: readonly Operation[];
  readonly sessions: BrowserSessions;
}

export interface SignInParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly state: StateStore;
  readonly users: Users;
  readonly systemClock: () => Date;
}

/** Creates the operations for sign-in with a browser. Returns undefined if no identity provider is configured. */
export async function createSignIn(parts: SignInParts): Promise<SignIn | undefined> {
  const { settings, database, state, users, systemClock } = parts;
  const provider = createSignInProvider(settings);
  if (provider === undefined || settings.publicUrl === undefined) return undefined;
  const secret = settings.sessionSecret ?? (await readOrCreateSecret(settings, 'session-secret', 'SESSION_SECRET'));
  const publicUrl = new URL(settings.publicUrl);
  const sessions = createBrowserSessions({
    sessions: new Sessions(database, state),
    secret,
    publicUrl,
    lifetimeMs: settings.sessionDays * 86_400_000,
    idleMs: SESSION_IDLE_MS,
    clock: systemClock,
  });
  const pending = createPendingSignIns(secret, publicUrl, systemClock);
  const [used, failed] = [new UsedSignIns(state), new FailedSignIns(state)];
  const flow = { provider, pending, used, failed, sessions, users, publicUrl, clock: systemClock };
  return { operations: signInOperations(flow), sessions };
}

type ProviderSettings = Pick<
  Settings,
  'jwtIssuer' | 'oauthProvider' | 'oidcClientId' | 'oidcClientSecret' | 'oidcIssuer' | 'oidcScopes' | 'publicUrl'
>;

/**
 * Creates the client of the identity provider. Returns undefined if no provider is configured. The provider sends no request before the
 * first sign-in.
 */
export function createSignInProvider(settings: ProviderSettings): SignInProvider | undefined {
  const { oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes, publicUrl } = settings;
  if (clientId === undefined || publicUrl === undefined) return undefined;
  const callbackUrl = new URL(`${publicUrl}/sign-in/callback/`);
  const client = { clientId, ...(clientSecret !== undefined && { clientSecret }), callbackUrl, fetch: PROVIDER_FETCH };
  const { oidcIssuer, oauthProvider } = settings;
  if (oidcIssuer !== undefined) {
    const issuer = new URL(oidcIssuer);
    const isTokenIssuer = oidcIssuer === settings.jwtIssuer;
    const rules = { isTokenIssuer, scopes: scopes ?? OIDC_SCOPES, clockSkew: CLOCK_SKEW_SECONDS };
    return createOidcProvider({ ...client, ...rules, issuer });
  }
  if (oauthProvider === undefined) return undefined;
  const [provider = '', authorizationUrl = '', tokenUrl = '', userUrl = ''] = oauthProvider.split(' ');
  return createOauthProvider({
    ...client,
    authorizationUrl: new URL(authorizationUrl),
    tokenUrl: new URL(tokenUrl),
    userUrl: new URL(userUrl),
    scopes: scopes ?? '',
    provider,
  });
}

const OIDC_SCOPES = 'openid profile email';

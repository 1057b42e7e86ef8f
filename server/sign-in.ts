import { Sessions } from '../accounts/sessions.js';
import type { StateStore } from '../accounts/state-store.js';
import { UsedSignIns } from '../accounts/used-sign-ins.js';
import type { Users } from '../accounts/users.js';
import { type BrowserSessions, createBrowserSessions } from '../app-routes/sign-in/browser-sessions.js';
import { createPendingSignIns } from '../app-routes/sign-in/pending-sign-in.js';
import { signInOperations } from '../app-routes/sign-in/sign-in.js';
import type { Database } from '../engine/index.js';
import type { Operation } from '../http/operations/operation.js';
import { ownSecret } from './identity.js';
import type { Settings } from './settings/settings.js';
import { type ProviderSettings, signInProvider } from './sign-in-provider.js';

type SignInSettings = ProviderSettings &
  Pick<Settings, 'dataDirectory' | 'sessionDays' | 'sessionIdleHours' | 'sessionSecret'>;

export interface SignIn {
  readonly operations: readonly Operation[];
  readonly sessions: BrowserSessions;
}

export interface SignInParts {
  readonly database: Database;
  readonly state: StateStore;
  readonly users: Users;
}

/** How people sign in with a browser; undefined if no provider is set. */
export async function openSignIn(settings: SignInSettings, parts: SignInParts): Promise<SignIn | undefined> {
  const { database, state, users } = parts;
  const { publicUrl } = settings;
  const provider = signInProvider(settings);
  if (provider === undefined || publicUrl === undefined) return undefined;
  const secret = settings.sessionSecret ?? (await ownSecret(settings, 'session-secret', 'SESSION_SECRET'));
  const home = new URL(publicUrl);
  const sessions = createBrowserSessions({
    sessions: new Sessions(database, state),
    secret,
    publicUrl: home,
    lifetimeMs: settings.sessionDays * 86_400_000,
    idleMs: settings.sessionIdleHours * 3_600_000,
  });
  const pending = createPendingSignIns(secret, home);
  const used = new UsedSignIns(state);
  return { operations: signInOperations({ provider, pending, used, sessions, users }), sessions };
}

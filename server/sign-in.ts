import { type BrowserSessions, createBrowserSessions } from '../app-routes/identity/browser-sessions.js';
import { createPendingSignIns } from '../app-routes/identity/pending-sign-in.js';
import type { Operation } from '../app-routes/operation.js';
import { signInOperations } from '../app-routes/sign-in.js';
import type { Database } from '../engine/index.js';
import { Sessions } from '../warehouse/state/sessions.js';
import type { StateStore } from '../warehouse/state/state-store.js';
import { UsedSignIns } from '../warehouse/state/used-sign-ins.js';
import type { Users } from '../warehouse/state/users.js';
import { ownSecret } from './identity.js';
import type { Settings } from './settings/settings.js';
import { type ProviderSettings, signInProvider } from './sign-in-provider.js';

type SignInSettings = ProviderSettings & Pick<Settings, 'dataDirectory' | 'sessionDays' | 'sessionSecret'>;

export interface SignIn {
  readonly operations: readonly Operation[];
  readonly sessions: BrowserSessions;
}

export interface SignInParts {
  readonly database: Database;
  readonly state: StateStore;
  readonly users: Users;
}

/** A session ends after this time without a request. */
const SESSION_IDLE_MS = 24 * 3_600_000;

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
    idleMs: SESSION_IDLE_MS,
  });
  const pending = createPendingSignIns(secret, home);
  const used = new UsedSignIns(state);
  return { operations: signInOperations({ provider, pending, used, sessions, users }), sessions };
}

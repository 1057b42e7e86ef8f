import { Sessions } from '../accounts/sessions.js';
import type { StateStore } from '../accounts/state-store.js';
import { UsedSignIns } from '../accounts/used-sign-ins.js';
import type { Users } from '../accounts/users.js';
import { type BrowserSessions, createBrowserSessions } from '../app-routes/sign-in/browser-sessions.js';
import { createPendingSignIns } from '../app-routes/sign-in/pending-sign-in.js';
import { signInOperations } from '../app-routes/sign-in/sign-in.js';
import type { Operation } from '../engine/http/operations/operation.js';
import type { Database } from '../engine/index.js';
import type { Settings } from './settings/settings.js';
import { createSignInProvider } from './sign-in-provider.js';
import { readOrCreateSecret } from './token-rules.js';

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
  const used = new UsedSignIns(state);
  const flow = { provider, pending, used, sessions, users, publicUrl, clock: systemClock };
  return { operations: signInOperations(flow), sessions };
}

/** A session expires after this time without a request. */
const SESSION_IDLE_MS = 24 * 3_600_000;

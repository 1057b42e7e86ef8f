import { exactObject, exactObjectOrNull } from '../../engine/http/json-schema.js';
import type { Caller, Identify } from '../../engine/http/operations/caller.js';
import type { OpenOperation } from '../../engine/http/operations/operation.js';
import { SERVICE } from '../../engine/http/package-root.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import type { ConsoleFeatures, ConsoleSession } from './answers.js';

/**
 * `GET /console/session/` returns the user of the session, or null, and the features of the service. `clock` returns the time for answers
 * with data.
 */
export function sessionOperation(identify: Identify, features: ConsoleFeatures, clock: () => Date): OpenOperation {
  return {
    access: 'open',
    tag: 'Console',
    id: 'console-session',
    method: 'get',
    path: '/console/session/',
    summary: 'Returns the signed-in user, if there is one, and the features of the service',
    isPrivate: true,
    answer: SESSION,
    handle: async ({ http, now }) => {
      const caller = await identify(http, now).catch(ignoreRejectedCaller);
      return {
        body: {
          ...features,
          version: SERVICE.version,
          now: clock().toISOString(),
          user: caller ? toUser(caller) : null,
        },
      };
    },
  };
}

/** Treats a caller with an invalid credential, and a removed or disabled user, as not signed in. */
function ignoreRejectedCaller(error: unknown): undefined {
  if (error instanceof HttpProblem && (error.status === 401 || REJECTED.includes(error.code))) return undefined;
  throw error;
}

const REJECTED: readonly string[] = ['account_disabled', 'user_not_found'];

function toUser({ login, name, avatarUrl, isTrusted }: Caller): ConsoleSession['user'] {
  return { login, name, avatarUrl, isTrusted };
}

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const SESSION = exactObject('ConsoleSession', {
  version: TEXT,
  now: { ...TEXT, format: 'date-time', description: 'The time of the service, which `NOW` can fix.' },
  signIn: { ...FLAG, description: 'Whether users can sign in with a browser.' },
  model: { ...FLAG, description: 'Whether a language model answers questions that no definition answers.' },
  digests: { ...FLAG, description: 'Whether users can get weekly digests by e-mail.' },
  user: {
    description: 'Null without a signed-in user.',
    ...exactObjectOrNull('ConsoleUser', { login: TEXT, name: TEXT, avatarUrl: TEXT, isTrusted: FLAG }),
  },
});

import { publicIdOf, type Sessions } from '../../accounts/sessions.js';
import { exactObject } from '../../engine/http/json-schema.js';
import type { PersonalOperation } from '../../engine/http/operations/operation.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import type { BrowserSessions } from '../sign-in/browser-sessions.js';
import { throwIfRemoved } from '../sign-in/identify.js';

export interface SessionOperationParts {
  readonly sessions: Sessions;
  /** Undefined if browser sign-in is not configured. */
  readonly browserSessions: Pick<BrowserSessions, 'idOf' | 'removeCookie'> | undefined;
}

/** The operations with which users list and end their browser sessions. */
export function sessionOperations({ sessions, browserSessions }: SessionOperationParts): PersonalOperation[] {
  return [
    {
      ...COMMON,
      id: 'list-sessions',
      method: 'get',
      path: '/user/sessions/',
      summary: 'Lists the browser sessions of the signed-in user, newest first',
      answer: { type: 'array', items: SESSION },
      handle: async ({ caller, http, now }) => ({
        body: await sessions.list(caller.id, browserSessions?.idOf(http), now),
      }),
    },
    {
      ...COMMON,
      id: 'end-session',
      method: 'delete',
      path: '/user/sessions/{sessionId}/',
      summary: 'Ends a browser session of the signed-in user',
      description: 'If the request belongs to this session, its cookie is removed.',
      parameters: SESSION_PARAMETER,
      statuses: [204],
      errors: ['session_not_found'],
      handle: endSession({ sessions, browserSessions }),
    },
    {
      ...COMMON,
      id: 'end-sessions',
      method: 'delete',
      path: '/user/sessions/',
      summary: 'Ends all browser sessions of the signed-in user, including that of the request',
      description: 'Bearer tokens and API keys stay valid until they expire.',
      statuses: [204],
      handle: async ({ caller, http, response, now }) => {
        await sessions.endAll(caller.id, now).catch(throwIfRemoved);
        browserSessions?.removeCookie(http, response);
        return { status: 204 };
      },
    },
  ];
}

function endSession({ sessions, browserSessions }: SessionOperationParts): PersonalOperation['handle'] {
  return async ({ parameters, caller, http, response, now }) => {
    const id = String(parameters.sessionId);
    const isEnded = await sessions.endListed(caller.id, id, now).catch(throwIfRemoved);
    if (!isEnded) throw new HttpProblem('session_not_found', `You have no session ${id}.`);
    const current = browserSessions?.idOf(http);
    if (current !== undefined && publicIdOf(current) === id) browserSessions?.removeCookie(http, response);
    return { status: 204 };
  };
}

const COMMON = { access: 'signed-in', tag: 'User' } as const;

const SESSION_PARAMETER = {
  sessionId: {
    in: 'path',
    type: 'string',
    pattern: '^[0-9a-f]{12}$',
    maxLength: 12,
    description: '`id` of the session in the list of sessions.',
    example: '9f86d081884c',
  },
} as const;

const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };

export const SESSION = exactObject('UserSession', {
  id: { type: 'string', description: 'Identifies the session among those of the user. It is not a credential.' },
  begunAt: { ...TIME_OR_NULL, description: 'The time of the sign-in; null if it is not known.' },
  lastSeenAt: {
    ...TIME_OR_NULL,
    description: 'The last request that extended the session; null if it is not known. At most 72 minutes too early.',
  },
  expiresAt: { type: 'string', format: 'date-time', description: 'When the session expires without further requests.' },
  current: { type: 'boolean', description: 'Whether this request belongs to the session.' },
});

import type { PersonalOperation } from '../../engine/http/operations/operation.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { formatValue } from '../../engine/http/requests/format-value.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { removedUserProblem } from '../sign-in/identify.js';
import { type ExportParts, exportOperation } from './export.js';
import { type KeyOperationParts, keyOperations } from './keys.js';
import { type SessionOperationParts, sessionOperations } from './sessions.js';

type AccountParts = ExportParts & SessionOperationParts & KeyOperationParts;

/** The operations with which users manage their own account: its sessions, its API keys, its stored data, and its removal. */
export function accountOperations(parts: AccountParts): PersonalOperation[] {
  return [...sessionOperations(parts), ...keyOperations(parts), exportOperation(parts), removalOperation(parts)];
}

function removalOperation({ users, browserSessions }: AccountParts): PersonalOperation {
  return {
    ...COMMON,
    id: 'remove-user',
    method: 'delete',
    path: '/user/',
    summary: 'Removes the signed-in user and all data of the user',
    description:
      'The account cannot sign in again. A removal cannot be undone. Later requests with a token of the account get ' +
      '404 `user_not_found`.',
    body: requestSchema('user-removal'),
    statuses: [204],
    handle: async ({ caller, body, http, response, now }) => {
      requireOwnLogin((body as { readonly login: string }).login, caller.login);
      const isRemoved = await users.remove(caller.id, now, deleteOwnedRows, `user ${caller.id}`);
      if (!isRemoved) throw removedUserProblem();
      browserSessions?.removeCookie(http, response);
      return { status: 204 };
    },
  };
}

function requireOwnLogin(given: string, login: string): void {
  // Logins are stored in this form.
  if (given.normalize('NFC') === login) return;
  const [expected, got] = [`your login ${formatValue(login)}`, formatValue(given)];
  const message = `login must be ${expected}, got ${got}`;
  throw new HttpProblem('bad_body', message, { errors: [{ pointer: '/login', expected, got, message }] });
}

const COMMON = { access: 'signed-in', tag: 'User' } as const;

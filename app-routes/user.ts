import { GITHUB_PROVIDERS } from '../accounts/identity/account-from-claims.js';
import type { Users } from '../accounts/users.js';
import { exactObject } from '../engine/http/json-schema.js';
import type { Caller } from '../engine/http/operations/caller.js';
import type { PersonalOperation } from '../engine/http/operations/operation.js';
import { requestSchema } from '../engine/http/requests/request-schema.js';
import { throwIfRemoved } from './sign-in/identify.js';

/** `/user/` returns the signed-in user, `/user/email-updates/` reads and changes a setting of the user. */
export function userOperations(users: Users): PersonalOperation[] {
  return [
    {
      ...COMMON,
      id: 'get-user',
      method: 'get',
      path: '/user/',
      summary: 'Returns the signed-in user',
      answer: USER,
      handle: ({ caller }) => ({ body: describeUser(caller) }),
    },
    {
      ...COMMON,
      id: 'get-email-updates',
      method: 'get',
      path: '/user/email-updates/',
      summary: 'Reports whether the signed-in user gets updates by e-mail',
      answer: EMAIL_UPDATES,
      handle: ({ caller }) => ({ body: { emailGetUpdates: caller.getsUpdates } }),
    },
    {
      ...COMMON,
      id: 'set-email-updates',
      method: 'put',
      path: '/user/email-updates/',
      summary: 'Enables or disables updates by e-mail',
      body: requestSchema('email-updates'),
      answer: EMAIL_UPDATES,
      handle: async ({ caller, body, now }) => {
        const { enable } = body as { enable: boolean };
        await users.setEmailUpdates(caller.id, enable, now).catch(throwIfRemoved);
        return { body: { emailGetUpdates: enable } };
      },
    },
  ];
}

export function describeUser({
  id,
  name,
  email,
  getsUpdates,
  provider,
  accountId,
  login,
  avatarUrl,
  createdAt,
}: Caller) {
  return {
    id,
    name,
    emailAddress: email,
    emailGetUpdates: getsUpdates,
    hostId: hostIdOf(provider, accountId),
    hostLogin: login,
    avatarUrl,
    createdAt,
  };
}

/** The id of a GitHub account if it has the format of GitHub ids; null for all other accounts. */
function hostIdOf(provider: string, accountId: string): number | null {
  if (!GITHUB_PROVIDERS.includes(provider) || !/^[1-9]\d*$/.test(accountId)) return null;
  const id = Number(accountId);
  return Number.isSafeInteger(id) ? id : null;
}

const COMMON = { access: 'signed-in', tag: 'User' } as const;

export const USER_PROPERTIES = {
  id: { type: 'integer', description: 'The id of the user.' },
  name: { type: 'string', description: 'The name of the user; empty if it is not known.' },
  emailAddress: { type: 'string', description: 'The e-mail address; empty if it is not known.' },
  emailGetUpdates: { type: 'boolean', description: 'Whether the user gets updates by e-mail.' },
  hostId: { type: ['integer', 'null'], description: 'The id on GitHub; null if it is not a GitHub account.' },
  hostLogin: { type: 'string', description: 'The login of the account at the identity provider.' },
  avatarUrl: { type: 'string', description: 'The URL of a picture; empty if the user has none.' },
  createdAt: { type: 'string', format: 'date-time', description: 'When the user first signed in.' },
};

const USER = exactObject('User', USER_PROPERTIES);

const EMAIL_UPDATES = exactObject('EmailUpdates', { emailGetUpdates: { type: 'boolean' } });

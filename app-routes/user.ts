import type { Users } from '../accounts/users.js';
import { exactObject } from '../http/json-schema.js';
import type { PersonalOperation } from '../http/operations/operation.js';
import { requestSchema } from '../http/requests/request-schema.js';
import { tellRemoved } from './sign-in/removed-user.js';

/** `/user/` and `/user/email-updates/`: who the caller is, and whether they want to hear of news. */
export function userOperations(users: Users): PersonalOperation[] {
  return [
    {
      ...COMMON,
      id: 'get-user',
      method: 'get',
      path: '/user/',
      summary: 'The signed-in user',
      answer: USER,
      handle: ({ caller: { id, name, email, getsUpdates, provider, accountId, login, avatarUrl, createdAt } }) => ({
        body: {
          id,
          name,
          emailAddress: email,
          emailGetUpdates: getsUpdates,
          hostId: hostIdOf(provider, accountId),
          hostLogin: login,
          avatarUrl,
          createdAt,
        },
      }),
    },
    {
      ...COMMON,
      id: 'get-email-updates',
      method: 'get',
      path: '/user/email-updates/',
      summary: 'Whether the signed-in user gets updates by e-mail',
      answer: EMAIL_UPDATES,
      handle: ({ caller }) => ({ body: { emailGetUpdates: caller.getsUpdates } }),
    },
    {
      ...COMMON,
      id: 'set-email-updates',
      method: 'put',
      path: '/user/email-updates/',
      summary: 'Turns updates by e-mail on or off',
      body: requestSchema('email-updates'),
      answer: EMAIL_UPDATES,
      handle: async ({ caller, body, now }) => {
        const { enable } = body as { enable: boolean };
        await users.setEmailUpdates(caller.id, enable, now).catch(tellRemoved);
        return { body: { emailGetUpdates: enable } };
      },
    },
  ];
}

/** Providers whose accounts are those of GitHub: the service's own name for it, and the name that brokers use. */
const HOST_PROVIDERS: readonly string[] = ['host', 'github'];

/** The id of a GitHub account, written as GitHub writes it; null for every other account. */
function hostIdOf(provider: string, accountId: string): number | null {
  if (!HOST_PROVIDERS.includes(provider) || !/^[1-9]\d*$/.test(accountId)) return null;
  const id = Number(accountId);
  return Number.isSafeInteger(id) ? id : null;
}

const COMMON = { access: 'signed-in', tag: 'User' } as const;

const USER = exactObject('User', {
  id: { type: 'integer', description: 'The id of the user.' },
  name: { type: 'string', description: 'The name of the user; empty where it is not known.' },
  emailAddress: { type: 'string', description: 'The e-mail address; empty where it is not known.' },
  emailGetUpdates: { type: 'boolean', description: 'Whether the user gets updates by e-mail.' },
  hostId: { type: ['integer', 'null'], description: 'The id on GitHub; null if the account is not of GitHub.' },
  hostLogin: { type: 'string', description: 'The login at the provider of the account.' },
  avatarUrl: { type: 'string', description: 'The address of a picture; empty where there is none.' },
  createdAt: { type: 'string', format: 'date-time', description: 'When the user first signed in.' },
});

const EMAIL_UPDATES = exactObject('EmailUpdates', { emailGetUpdates: { type: 'boolean' } });

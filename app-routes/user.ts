import type { Users } from '../warehouse/state/users.js';
import { exactObject } from './exact-object.js';
import type { PersonalOperation } from './operation.js';
import { tellRemoved } from './removed-user.js';
import { requestSchema } from './request-schema.js';

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
      handle: ({ caller: { id, name, email, getsUpdates, accountId, login, avatarUrl, createdAt } }) => ({
        body: {
          id,
          name,
          emailAddress: email,
          emailGetUpdates: getsUpdates,
          hostId: /^\d{1,15}$/.test(accountId) ? Number(accountId) : null,
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
      handle: async ({ caller, body }) => {
        const { enable } = body as { enable: boolean };
        await users.setEmailUpdates(caller.id, enable, new Date()).catch(tellRemoved);
        return { body: { emailGetUpdates: enable } };
      },
    },
  ];
}

const COMMON = { access: 'signed-in', tag: 'User' } as const;

const USER = exactObject({
  id: { type: 'integer', description: 'The id of the user.' },
  name: { type: 'string', description: 'The name of the user; empty where it is not known.' },
  emailAddress: { type: 'string', description: 'The e-mail address; empty where it is not known.' },
  emailGetUpdates: { type: 'boolean', description: 'Whether the user gets updates by e-mail.' },
  hostId: { type: ['integer', 'null'], description: 'The id on the hosting platform; null where it is not known.' },
  hostLogin: { type: 'string', description: 'The login on the hosting platform.' },
  avatarUrl: { type: 'string', description: 'The address of a picture; empty where there is none.' },
  createdAt: { type: 'string', format: 'date-time', description: 'When the user first signed in.' },
});

const EMAIL_UPDATES = exactObject({ emailGetUpdates: { type: 'boolean' } });

import { type NewUserKey, TooManyKeysError, type UserKeys } from '../../accounts/keys/user-keys.js';
import { exactObject } from '../../engine/http/json-schema.js';
import type { PersonalOperation } from '../../engine/http/operations/operation.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { throwIfRemoved } from '../sign-in/identify.js';

export interface KeyOperationParts {
  readonly userKeys: UserKeys;
}

/** The operations with which users list, create and revoke the API keys of their account. */
export function keyOperations({ userKeys }: KeyOperationParts): PersonalOperation[] {
  return [
    {
      ...COMMON,
      id: 'list-keys',
      method: 'get',
      path: '/user/keys/',
      summary: 'Lists the API keys of the signed-in user, newest first',
      description: 'Revoked keys are not in the list. Expired keys are in the list for 90 days.',
      answer: { type: 'array', items: USER_KEY },
      handle: async ({ caller, now }) => ({ body: await userKeys.list(caller.id, now) }),
    },
    {
      ...COMMON,
      id: 'create-key',
      method: 'post',
      path: '/user/keys/',
      summary: 'Creates an API key of the signed-in user',
      description: 'The answer contains the secret, which the service does not store and cannot show again.',
      body: requestSchema('user-key'),
      answer: CREATED_KEY,
      statuses: [201],
      errors: ['too_many_keys'],
      handle: async ({ caller, body, now }) => {
        const { name, lifetimeDays = DEFAULT_DAYS } = body as KeyBody;
        const key: NewUserKey = await userKeys.create(caller.id, name, lifetimeDays, now).catch(explain);
        return { status: 201, body: key };
      },
    },
    {
      ...COMMON,
      id: 'revoke-key',
      method: 'delete',
      path: '/user/keys/{keyId}/',
      summary: 'Revokes an API key of the signed-in user',
      description: 'Every process of the service rejects the key within a second. A revoked key cannot be used again.',
      parameters: KEY_PARAMETER,
      statuses: [204],
      errors: ['key_not_found'],
      handle: async ({ parameters, caller, now }) => {
        const id = String(parameters.keyId);
        const isRevoked = await userKeys.revoke(caller.id, id, now).catch(throwIfRemoved);
        if (!isRevoked) throw new HttpProblem('key_not_found', `You have no API key ${id}.`);
        return { status: 204 };
      },
    },
  ];
}

interface KeyBody {
  readonly name: string;
  readonly lifetimeDays?: number;
}

/** As in `schemas/requests/user-key.schema.json`. */
const DEFAULT_DAYS = 90;

function explain(error: unknown): never {
  if (error instanceof TooManyKeysError) throw new HttpProblem('too_many_keys', error.message);
  return throwIfRemoved(error);
}

const COMMON = { access: 'signed-in', tag: 'User' } as const;

const KEY_PARAMETER = {
  keyId: {
    in: 'path',
    type: 'string',
    pattern: '^[0-9a-f]{8}$',
    maxLength: 8,
    description: '`id` of the key in the list of keys.',
    example: '3f9a01c2',
  },
} as const;

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };
const PROPERTIES = {
  id: { ...TEXT, description: 'Identifies the key. The secret contains the id.' },
  name: TEXT,
  createdAt: TIME,
  expiresAt: { ...TIME, description: 'The key is valid before this time.' },
  expired: { type: 'boolean', description: 'Whether the key has expired.' },
  lastUsedAt: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The last use, at most one minute too early; null if the key was never used.',
  },
};

export const USER_KEY = exactObject('UserKey', PROPERTIES);

const CREATED_KEY = exactObject('CreatedUserKey', {
  ...PROPERTIES,
  secret: { ...TEXT, description: 'The secret, for the header `X-API-Key`.' },
});

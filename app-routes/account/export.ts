import { once } from 'node:events';
import type { Response } from 'express';
import { readAuditEntriesOf } from '../../accounts/audit-log.js';
import type { Digests } from '../../accounts/digests.js';
import type { Sessions } from '../../accounts/sessions.js';
import type { Subscriptions } from '../../accounts/subscriptions.js';
import type { UserRoles } from '../../accounts/user-roles.js';
import type { Users } from '../../accounts/users.js';
import { sendUncompressed } from '../../engine/http/cache/send-answer.js';
import { exactObject, exactObjectOrNull, type JsonSchema } from '../../engine/http/json-schema.js';
import type { PersonalOperation, PersonalRequest, Reply } from '../../engine/http/operations/operation.js';
import { recordFailure } from '../../engine/http/problems/error-answers.js';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../../engine/http/problems/http-problem.js';
import { type Database, limitSignal } from '../../engine/index.js';
import { readOwnedFeedback, readOwnedQuestions, readOwnedQuotas } from '../../explorer/retention/owned-rows.js';
import { DIGEST_PROPERTIES } from '../digests/digest-operations.js';
import { FEEDBACK } from '../explorer/feedback.js';
import { STORED_QUESTION } from '../explorer/question-schema.js';
import { removedUserProblem } from '../sign-in/identify.js';
import { SUBSCRIPTION } from '../subscriptions.js';
import { describeUser, USER_PROPERTIES } from '../user.js';
import { type KeyOperationParts, USER_KEY } from './keys.js';
import { SESSION, type SessionOperationParts } from './sessions.js';

export interface ExportParts extends KeyOperationParts, Pick<SessionOperationParts, 'browserSessions'> {
  readonly database: Database;
  readonly users: Users;
  readonly userRoles: UserRoles;
  readonly subscriptions: Subscriptions;
  readonly digests: Pick<Digests, 'find'>;
  readonly sessions: Sessions;
}

/** `GET /user/export/` returns everything that the tables of the service contain about the signed-in user. */
export function exportOperation(parts: ExportParts): PersonalOperation {
  // The users of running exports. An export holds some questions in memory, so each user has at most one in a process.
  const running = new Set<number>();
  return {
    access: 'signed-in',
    tag: 'User',
    id: 'export-user',
    method: 'get',
    path: '/user/export/',
    summary: 'Returns everything that the service stores about the signed-in user, as a file',
    description:
      'The file is always complete. If the service cannot complete it, it closes the connection before the end of the ' +
      'JSON. A user can have one export at a time; another one gets 429.',
    answer: EXPORT,
    headers: { 'Content-Disposition': 'The name of the file.' },
    handle: async (request) => {
      const { id } = request.caller;
      if (running.has(id)) throw runningProblem();
      running.add(id);
      const end = () => void running.delete(id);
      return startExport(parts, request, end).catch((error: unknown) => {
        end();
        throw error;
      });
    },
  };
}

async function startExport(parts: ExportParts, request: PersonalRequest, end: () => void): Promise<Reply> {
  const { caller, http } = request;
  const profile = await parts.users.findProfile(caller.id);
  if (profile === undefined) throw removedUserProblem();
  const { provider, accountId, isTrusted: trusted, profileAt } = profile;
  const roles = await parts.userRoles.rolesOf(profile);
  const user = { ...describeUser(profile), provider, accountId, trusted, roles, profileAt };
  return {
    headers: { 'Content-Disposition': `attachment; filename="repo-insight-user-${caller.id}.json"` },
    send: async (_, response) => {
      response.type('json');
      try {
        if (http.method === 'HEAD') response.end();
        else await sendTexts((signal) => writeExport(parts, user, request, signal), request.signal, response);
      } finally {
        end();
      }
    },
  };
}

/** Sends the texts. After a failure, closes the connection before the end of the body, so that the client can detect it. */
async function sendTexts(
  write: (signal: AbortSignal) => AsyncGenerator<string>,
  caller: AbortSignal,
  response: Response,
): Promise<void> {
  const limited = limitSignal([caller], MAX_EXPORT_MS);
  const { signal } = limited;
  // The middleware `compression` does not support waiting for `drain` with `once`.
  sendUncompressed(response);
  try {
    for await (const text of write(signal)) {
      signal.throwIfAborted();
      if (!response.write(text)) await once(response, 'drain', { signal });
    }
    response.end();
  } catch (error) {
    recordFailure(response, signal.aborted ? signal.reason : error);
    response.destroy();
  } finally {
    limited.end();
  }
}

const MAX_EXPORT_MS = 600_000;

/** Yields the parts of the JSON. Throws `user_not_found` if the user is removed in the meantime. */
export async function* writeExport(
  { database, users, userKeys, subscriptions, digests, sessions, browserSessions }: ExportParts,
  user: unknown,
  { caller: { id }, now, http }: Pick<PersonalRequest, 'caller' | 'now' | 'http'>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(now)},"user":${JSON.stringify(user)}`;
  yield `,"digest":${JSON.stringify((await digests.find(id)) ?? null)}`;
  yield* writeList('subscriptions', subscriptions.readAll(id, signal));
  yield* writeList('questions', readOwnedQuestions(database, id, signal));
  yield* writeList('feedback', readOwnedFeedback(database, id, signal));
  yield* writeList('sqlQuotas', readOwnedQuotas(database, id, signal));
  yield* writeList('sessions', await sessions.list(id, browserSessions?.idOf(http), now));
  yield* writeList('keys', await userKeys.list(id, now));
  yield* writeList('auditLog', readAuditEntriesOf(database, id, signal));
  if ((await users.findById(id)) === undefined) throw removedUserProblem();
  yield '}\n';
}

async function* writeList(name: string, items: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
  yield ']';
}

function runningProblem(): HttpProblem {
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return new HttpProblem('rate_limited', 'Another export of this user is running; retry when it has ended.', {
    headers,
  });
}

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };
const listOf = (items: JsonSchema, description: string) => ({ type: 'array', items, description });

const EXPORT = exactObject('UserExport', {
  exportedAt: { ...TIME, description: 'The time of the request.' },
  user: exactObject('ExportedUser', {
    ...USER_PROPERTIES,
    provider: { ...TEXT, description: 'The identity provider of the account.' },
    accountId: { ...TEXT, description: 'The id of the account at the identity provider.' },
    trusted: { type: 'boolean', description: 'Whether an operator trusts the user.' },
    roles: listOf(TEXT, 'The roles of the user.'),
    profileAt: { ...TIME, description: 'When the provider issued the stored profile.' },
  }),
  digest: {
    description: 'The weekly digest; null if it is disabled.',
    ...exactObjectOrNull('ExportedDigest', DIGEST_PROPERTIES),
  },
  subscriptions: listOf(SUBSCRIPTION, 'All subscriptions, also those that have ended.'),
  questions: listOf(STORED_QUESTION, 'The questions with their answers, oldest first.'),
  feedback: listOf(FEEDBACK, 'The feedback of the user about answers.'),
  sqlQuotas: listOf(
    exactObject('SqlQuotaDay', { day: { ...TEXT, format: 'date' }, used: { type: 'integer', minimum: 0 } }),
    'The uses of question to SQL by UTC day.',
  ),
  sessions: listOf(SESSION, 'The browser sessions, newest first.'),
  keys: listOf(USER_KEY, 'The API keys, newest first, without secrets and hashes.'),
  auditLog: listOf(
    exactObject('AuditEntry', {
      at: TIME,
      actor: { ...TEXT, description: '`user` and the id of the user, or `operator`.' },
      action: TEXT,
      subject: TEXT,
      detail: TEXT,
    }),
    'The changes by the user, then the changes of the user by others, each in order.',
  ),
});

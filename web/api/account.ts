import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { NewUserKey, UserKey } from '../../accounts/keys/user-keys.js';
import type { ListedSession } from '../../accounts/sessions.js';
import type { Subscription } from '../../accounts/subscriptions.js';
import type { QuestionPage } from '../../explorer/questions/user-questions.js';
import type { FoundRepository } from '../../warehouse/search.js';
import { ROOT_URL } from '../app/root-url.js';
import { RepoInsightError } from './generated/client.js';
import { callOperation, sendJson } from './operations.js';

export type { NewUserKey, UserKey } from '../../accounts/keys/user-keys.js';
export type { ListedSession } from '../../accounts/sessions.js';
export type { Subscription } from '../../accounts/subscriptions.js';
export type { ListedQuestion } from '../../explorer/questions/user-questions.js';
export type { FoundRepository } from '../../warehouse/search.js';

/** All cached data of the signed-in user have keys that begin with `account`. */
export const ACCOUNT_KEY = ['account'] as const;

export const subscriptionsQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'subscriptions'],
  queryFn: ({ signal }) => callOperation<readonly Subscription[]>('user/subscriptions/', { signal }),
});

export const ownQuestionsQuery = infiniteQueryOptions({
  queryKey: [...ACCOUNT_KEY, 'questions'],
  queryFn: ({ signal, pageParam }) =>
    callOperation<QuestionPage>(
      pageParam === '' ? 'user/questions/' : `user/questions/?cursor=${encodeURIComponent(pageParam)}`,
      { signal },
    ),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** Subscribes to a repository, `owner/name`, or ends the subscription. */
export function changeSubscription(fullName: string, isSubscribed: boolean): Promise<Subscription> {
  const name = fullName.split('/').map(encodeURIComponent).join('/');
  return sendJson('PUT', `repos/${name}/${isSubscribed ? 'subscribe' : 'unsubscribe'}/`);
}

/** The weekly digest of the signed-in user; `nextAt` is null if it is disabled or the address is undeliverable. */
export interface UserDigest {
  readonly hasAddress: boolean;
  readonly timeZone: string | null;
  readonly nextAt: string | null;
  readonly sentAt: string | null;
  readonly undeliverableSince: string | null;
}

export const digestQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'digest'],
  queryFn: ({ signal }) => callOperation<UserDigest>('user/digest/', { signal }),
});

/**
 * Enables or disables the weekly digest. It is sent in the time zone of this browser. If the service does not know the time zone, such as
 * `Etc/Unknown`, the digest keeps its time zone.
 */
export async function enableDigest(enable: boolean): Promise<UserDigest> {
  const change = (body: object) => sendJson<UserDigest>('PUT', 'user/digest/', body);
  if (!enable) return change({ enable });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    return await change({ enable, timeZone });
  } catch (error) {
    if (error instanceof RepoInsightError && error.code === 'bad_body') return change({ enable });
    throw error;
  }
}

export const sessionsQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'sessions'],
  queryFn: ({ signal }) => callOperation<readonly ListedSession[]>('user/sessions/', { signal }),
});

export function endSession(id: string): Promise<void> {
  return sendJson('DELETE', `user/sessions/${id}/`);
}

export function endAllSessions(): Promise<void> {
  return sendJson('DELETE', 'user/sessions/');
}

export const keysQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'keys'],
  queryFn: ({ signal }) => callOperation<readonly UserKey[]>('user/keys/', { signal }),
});

/** Creates an API key that expires after this number of days. Only the result contains the secret. */
export function createKey(name: string, lifetimeDays: number): Promise<NewUserKey> {
  return sendJson('POST', 'user/keys/', { name, lifetimeDays });
}

export function revokeKey(id: string): Promise<void> {
  return sendJson('DELETE', `user/keys/${id}/`);
}

/** Removes the account of the signed-in user. `login` confirms the removal. */
export function removeAccount(login: string): Promise<void> {
  return sendJson('DELETE', 'user/', { login });
}

/** Returns the URL of the file with the stored data of the signed-in user. */
export function exportUrl(): string {
  return new URL('user/export/', ROOT_URL).href;
}

export function signOut(): Promise<void> {
  return sendJson('POST', 'sign-out/');
}

/** Returns the URL that signs in a user and then redirects to the page at this location. */
export function signInUrl({ pathname, search }: Pick<Location, 'pathname' | 'search'> = location): string {
  const path = `${pathname}${search}`;
  const url = new URL('sign-in/', ROOT_URL);
  url.searchParams.set('return_to', path.length > MAX_RETURN_TO ? pathname : path);
  return url.href;
}

/** The maximum length of a path that the service accepts. */
const MAX_RETURN_TO = 1_000;

export function repositorySearchQuery(text: string) {
  return queryOptions({
    queryKey: ['repository-search', text],
    queryFn: async ({ signal }) =>
      (
        await callOperation<{ readonly data: readonly FoundRepository[] }>(
          `gh/repos/search/?keyword=${encodeURIComponent(text)}`,
          { signal },
        )
      ).data,
    enabled: text.trim().length > 1,
  });
}

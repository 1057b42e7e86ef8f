import { type Repository, type Subscriptions, TooManySubscriptionsError } from '../accounts/subscriptions.js';
import { exactObject } from '../engine/http/json-schema.js';
import type { PersonalOperation, PersonalRequest } from '../engine/http/operations/operation.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import { REPOSITORY_PARAMETERS } from './repository-parameters.js';
import { throwIfRemoved } from './sign-in/identify.js';

/** The operations for the subscriptions of the signed-in user to repositories. */
export function subscriptionOperations(subscriptions: Subscriptions): PersonalOperation[] {
  const change = (action: 'subscribe' | 'unsubscribe') => async (request: PersonalRequest) => {
    const repository = await requireRepository(subscriptions, request);
    const changed = subscriptions[action](request.caller.id, repository, request.now);
    return { body: await changed.catch(explain) };
  };
  return [
    {
      ...COMMON,
      id: 'list-subscriptions',
      method: 'get',
      path: '/user/subscriptions/',
      summary: 'Lists the subscriptions of the signed-in user, newest first',
      answer: { type: 'array', items: SUBSCRIPTION },
      handle: async ({ caller }) => ({ body: await subscriptions.list(caller.id) }),
    },
    {
      ...ONE_REPOSITORY,
      id: 'subscribe',
      path: '/repos/{owner}/{repo}/subscribe/',
      summary: 'Subscribes to a repository',
      description: 'An existing subscription stays unchanged and keeps its time.',
      errors: [...ONE_REPOSITORY.errors, 'too_many_subscriptions'],
      handle: change('subscribe'),
    },
    {
      ...ONE_REPOSITORY,
      id: 'unsubscribe',
      path: '/repos/{owner}/{repo}/unsubscribe/',
      summary: 'Ends a subscription',
      description: 'Without a subscription, the request changes nothing.',
      handle: change('unsubscribe'),
    },
  ];
}

export const SUBSCRIPTION = exactObject('Subscription', {
  userId: { type: 'integer' },
  repoId: { type: 'integer' },
  repoName: { type: 'string', description: 'The current `owner/name`.' },
  subscribed: { type: 'integer', minimum: 0, maximum: 1 },
  subscribedAt: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the current or last subscription began; null if the user never subscribed to the repository.',
  },
});

const COMMON = { access: 'signed-in', tag: 'User' } as const;

const ONE_REPOSITORY = {
  ...COMMON,
  method: 'put',
  parameters: REPOSITORY_PARAMETERS,
  answer: SUBSCRIPTION,
  errors: ['repository_not_found'],
} as const;

async function requireRepository(
  subscriptions: Subscriptions,
  { parameters: { owner, repo } }: PersonalRequest,
): Promise<Repository> {
  const name = `${owner}/${repo}`;
  const repository = await subscriptions.findRepository(name);
  if (repository !== undefined) return repository;
  throw new HttpProblem('repository_not_found', `The repository ${name} is not in this data set.`);
}

function explain(error: unknown): never {
  if (error instanceof TooManySubscriptionsError) throw new HttpProblem('too_many_subscriptions', error.message);
  return throwIfRemoved(error);
}

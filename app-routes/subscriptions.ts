import { type Repository, type Subscriptions, TooManySubscriptionsError } from '../accounts/subscriptions.js';
import { exactObject } from '../http/json-schema.js';
import type { PersonalOperation, PersonalRequest } from '../http/operations/operation.js';
import { HttpProblem } from '../http/problems/http-problem.js';
import { REPOSITORY_PARAMETERS } from './repository-parameters.js';
import { tellRemoved } from './sign-in/removed-user.js';

/** The repositories of which the signed-in user wants to hear. */
export function subscriptionOperations(subscriptions: Subscriptions): PersonalOperation[] {
  const repositoryOf = async ({ parameters: { owner, repo } }: PersonalRequest): Promise<Repository> => {
    const name = `${owner}/${repo}`;
    const repository = await subscriptions.findRepository(name);
    if (repository !== undefined) return repository;
    throw new HttpProblem('repository_not_found', `The repository ${name} is not in this data set.`);
  };
  const change = (action: 'subscribe' | 'unsubscribe') => async (request: PersonalRequest) => {
    const repository = await repositoryOf(request);
    const changed = subscriptions[action](request.caller.id, repository, request.now);
    return { body: await changed.catch(explain) };
  };
  return [
    {
      ...COMMON,
      id: 'list-subscriptions',
      method: 'get',
      path: '/user/subscriptions/',
      summary: 'The subscriptions of the signed-in user, newest first',
      answer: { type: 'array', items: SUBSCRIPTION },
      handle: async ({ caller }) => ({ body: await subscriptions.list(caller.id) }),
    },
    {
      ...ONE_REPOSITORY,
      id: 'subscribe',
      path: '/repos/{owner}/{repo}/subscribe/',
      summary: 'Subscribes to a repository',
      description: 'Who has subscribed already stays so, since the same time.',
      errors: [...ONE_REPOSITORY.errors, 'too_many_subscriptions'],
      handle: change('subscribe'),
    },
    {
      ...ONE_REPOSITORY,
      id: 'unsubscribe',
      path: '/repos/{owner}/{repo}/unsubscribe/',
      summary: 'Ends a subscription',
      description: 'Who has not subscribed stays so.',
      handle: change('unsubscribe'),
    },
  ];
}

const SUBSCRIPTION = exactObject('Subscription', {
  userId: { type: 'integer' },
  repoId: { type: 'integer' },
  repoName: { type: 'string', description: '`owner/name` as it is now.' },
  subscribed: { type: 'integer', enum: [0, 1] },
  subscribedAt: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Since when, or when it was last; null for a repository that was never subscribed to.',
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

function explain(error: unknown): never {
  if (error instanceof TooManySubscriptionsError) throw new HttpProblem('too_many_subscriptions', error.message);
  return tellRemoved(error);
}

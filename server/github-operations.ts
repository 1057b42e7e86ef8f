import type { StateStore } from '../accounts/state-store.js';
import { Subscriptions } from '../accounts/subscriptions.js';
import type { Users } from '../accounts/users.js';
import { choicesOperation } from '../app-routes/choices.js';
import { collectionOperations } from '../app-routes/collections.js';
import type { ConsoleFeatures } from '../app-routes/console/answers.js';
import { definitionOperations } from '../app-routes/console/definitions.js';
import { imageOperations } from '../app-routes/console/images.js';
import { type OperatorParts, operatorOperation } from '../app-routes/console/operator.js';
import { pageOperations } from '../app-routes/console/pages.js';
import { searchOperation } from '../app-routes/console/search.js';
import { sessionOperation } from '../app-routes/console/session.js';
import { type HealthParts, healthOperation } from '../app-routes/healthy.js';
import { homeOperation } from '../app-routes/home.js';
import { liveOperation } from '../app-routes/live.js';
import { lookupOperations } from '../app-routes/lookups.js';
import { namedQueryOperations } from '../app-routes/named-queries.js';
import { osdbGroupsOperation } from '../app-routes/osdb-groups.js';
import { draftOperation } from '../app-routes/playground/draft-endpoint.js';
import { planOperation } from '../app-routes/playground/plan-sql.js';
import { playgroundOperation } from '../app-routes/playground/run-sql.js';
import { type ReadyParts, readyOperation } from '../app-routes/ready.js';
import { subscriptionOperations } from '../app-routes/subscriptions.js';
import { tableOperations } from '../app-routes/tables.js';
import { userOperations } from '../app-routes/user.js';
import type { StoredImages } from '../console/images/stored-images.js';
import type { AnswerCache } from '../engine/http/cache/answer-cache.js';
import type { Identify } from '../engine/http/operations/caller.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { SERVICE } from '../engine/http/package-root.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import type { Database, Engine } from '../engine/index.js';
import type { Playground } from '../explorer/playground/playground.js';
import type { Lookups } from '../github/lookups/lookups.js';
import { createNameSearch } from '../warehouse/search.js';
import { TABLE_REFERENCE } from '../warehouse/table-reference.js';
import { type ExplorerOperationParts, explorerOperations } from './explorer-operations.js';

export interface OperationParts {
  readonly health: HealthParts;
  readonly definitions: ReadyParts['definitions'];
  readonly pages: ReadyParts['pages'];
  readonly drain: ReadyParts['drain'];
  readonly database: Database;
  readonly engine: Engine;
  readonly cache: Pick<AnswerCache, 'serve'>;
  readonly playground: Playground;
  /** Returns the time for answers with data. With a fixed time, old data can be replayed. */
  readonly clock: () => Date;
  readonly state: StateStore;
  readonly users: Users;
  readonly identify: Identify;
  readonly features: ConsoleFeatures;
  readonly operator: Pick<OperatorParts, 'process' | 'cache' | 'queries' | 'reloads' | 'tracking' | 'report'>;
  readonly images: Pick<StoredImages, 'get'>;
  readonly lookups: Lookups;
  readonly explorer: ExplorerOperationParts;
}

const LINKS = {
  reference: '/docs',
  openapi: '/openapi.json',
  collections: '/v1/collections/',
  trends: '/v1/trends/repos/',
  health: '/healthy/',
};

/** Descriptions of the tags of the operations and of the definitions of this service. */
export const TAGS = {
  Collections: 'Hand-picked collections of repositories, and their rankings.',
  Trends: 'Repositories with much recent activity.',
  'Issue creators': 'Users who open issues in a repository: as a list, over time, and by country or company.',
  'Pull request creators':
    'Users who open pull requests in a repository: as a list, over time, and by country or company.',
  Stargazers: 'Users who star a repository: over time, and by country or company.',
  Lookups: 'Records of GitHub: repositories, users and organizations.',
  Explorer: 'Questions in natural language, their answers as rows and charts, and SQL for a question.',
  User: 'The signed-in user: profile, settings and subscriptions.',
  'Sign-in': 'Sign-in with a browser. Available if the operator configures an identity provider.',
  Console: 'What the console shows about definitions, pages and the signed-in user.',
};

/** Creates all hand-written operations of the service, except those for sign-in. */
export function serviceOperations(parts: OperationParts): Operation[] {
  const { database, engine, cache, playground, clock, state, users, lookups, health, definitions, explorer } = parts;
  const { identify, features, pages, operator, images, drain } = parts;
  return [
    homeOperation({ ...SERVICE, links: LINKS }),
    healthOperation(health),
    liveOperation(),
    readyOperation({ database, definitions, pages, drain }),
    ...collectionOperations(database, clock),
    osdbGroupsOperation(database),
    ...tableOperations(TABLE_REFERENCE),
    ...namedQueryOperations(engine),
    choicesOperation(engine),
    playgroundOperation(playground, clock),
    planOperation(playground),
    draftOperation({ playground, database, definitions }),
    ...userOperations(users),
    ...subscriptionOperations(new Subscriptions(database, state)),
    ...lookupOperations(lookups),
    ...explorerOperations(explorer, { database, state, clock }),
    ...definitionOperations(engine, definitions),
    ...pageOperations(engine, pages),
    sessionOperation(identify, features, clock),
    ...imageOperations(engine, cache, images),
    searchOperation(database, createNameSearch(database)),
    operatorOperation({ ...parts, ...operator }),
  ];
}

/** The state store of a service without write access to its database. All methods fail. */
export const READ_ONLY_STATE: StateStore = {
  transaction: async () => {
    throw new HttpProblem(
      'state_unavailable',
      'This service has only read access to its database, so it cannot store users or questions.',
    );
  },
  eraseDeleted: async () => undefined,
};

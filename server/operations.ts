import { collectionOperations } from '../app-routes/collections.js';
import { type HealthParts, healthOperation } from '../app-routes/healthy.js';
import { homeOperation } from '../app-routes/home.js';
import { HttpProblem } from '../app-routes/http-problem.js';
import { lookupOperations } from '../app-routes/lookups.js';
import { namedQueryOperations } from '../app-routes/named-queries.js';
import type { Operation } from '../app-routes/operation.js';
import { osdbGroupsOperation } from '../app-routes/osdb-groups.js';
import { playgroundOperation } from '../app-routes/playground.js';
import { subscriptionOperations } from '../app-routes/subscriptions.js';
import { userOperations } from '../app-routes/user.js';
import type { Database, Engine } from '../engine/index.js';
import type { Lookups } from '../warehouse/host/lookups.js';
import type { Playground } from '../warehouse/playground/playground.js';
import type { StateStore } from '../warehouse/state/state-store.js';
import { Subscriptions } from '../warehouse/state/subscriptions.js';
import type { Users } from '../warehouse/state/users.js';
import { SERVICE } from './package-root.js';

export interface OperationParts {
  readonly health: HealthParts;
  readonly database: Database;
  readonly engine: Engine;
  readonly playground: Playground;
  readonly clock: () => Date;
  readonly state: StateStore;
  readonly users: Users;
  readonly lookups: Lookups;
}

const LINKS = {
  reference: '/docs',
  openapi: '/openapi.json',
  collections: '/v1/collections/',
  trends: '/v1/trends/repos/',
  health: '/healthy/',
};

/** Every hand-written operation of the service. */
export function serviceOperations(parts: OperationParts): Operation[] {
  const { database, engine, playground, clock, state, users, lookups, health } = parts;
  return [
    homeOperation({ ...SERVICE, links: LINKS }),
    healthOperation(health),
    ...collectionOperations(database, clock),
    osdbGroupsOperation(database),
    ...namedQueryOperations(engine),
    playgroundOperation(playground, clock),
    ...userOperations(users),
    ...subscriptionOperations(new Subscriptions(database, state)),
    ...lookupOperations(lookups),
  ];
}

/** The state where no account may write. */
export const READ_ONLY_STATE: StateStore = {
  transaction: async () => {
    throw new HttpProblem('state_unavailable', 'This service only reads its database: it keeps no users.');
  },
};

import { healthOperation } from '../app-routes/healthy.js';
import { homeOperation } from '../app-routes/home.js';
import { HttpProblem } from '../app-routes/http-problem.js';
import type { Operation } from '../app-routes/operation.js';
import { subscriptionOperations } from '../app-routes/subscriptions.js';
import { userOperations } from '../app-routes/user.js';
import type { Database } from '../engine/index.js';
import type { StateStore } from '../warehouse/state/state-store.js';
import { Subscriptions } from '../warehouse/state/subscriptions.js';
import { Users } from '../warehouse/state/users.js';
import { SERVICE } from './package-root.js';

export interface OperationParts {
  readonly database: Database;
  readonly state: StateStore;
  readonly users: Users;
}

const LINKS = {
  reference: '/docs',
  openapi: '/openapi.json',
  collections: '/v1/collections/',
  trends: '/v1/trends/repos/',
  health: '/healthy/',
};

/** Every hand-written operation of the service. */
export function serviceOperations({ database, state, users }: OperationParts): Operation[] {
  return [
    homeOperation({ ...SERVICE, links: LINKS }),
    healthOperation(database),
    ...userOperations(users),
    ...subscriptionOperations(new Subscriptions(database, state)),
  ];
}

/** The same without anything behind them, to describe them. */
export function operationsToDescribe(): Operation[] {
  const state = READ_ONLY_STATE;
  return serviceOperations({ database: NO_DATABASE, state, users: new Users(NO_DATABASE, state) });
}

const absent = async () => {
  throw new Error('There is no database: these operations are only described.');
};

const NO_DATABASE: Database = {
  name: 'none',
  concurrency: 1,
  prepare: (sql) => ({ sql }),
  query: absent,
  explain: absent,
  ping: absent,
  close: absent,
};

/** The state where no account may write. */
export const READ_ONLY_STATE: StateStore = {
  transaction: async () => {
    throw new HttpProblem('state_unavailable', 'This service only reads its database: it keeps no users.');
  },
};

import { Digests } from '../accounts/digests.js';
import type { UserKeys } from '../accounts/keys/user-keys.js';
import { Sessions } from '../accounts/sessions.js';
import type { StateStore } from '../accounts/state-store.js';
import { Subscriptions } from '../accounts/subscriptions.js';
import type { UnsubscribeTokens } from '../accounts/unsubscribe-tokens.js';
import type { UserRoles } from '../accounts/user-roles.js';
import type { Users } from '../accounts/users.js';
import { accountOperations } from '../app-routes/account/account.js';
import { collectionOperations } from '../app-routes/collections.js';
import { type OperatorParts, operatorOperation } from '../app-routes/console/operator.js';
import { searchOperation } from '../app-routes/console/search.js';
import { digestOperations } from '../app-routes/digests/digest-operations.js';
import type { HealthParts } from '../app-routes/healthy.js';
import type { ServiceDescription } from '../app-routes/home.js';
import { lookupOperations } from '../app-routes/lookups.js';
import type { McpAbout, McpParts } from '../app-routes/mcp/mcp-parts.js';
import { osdbGroupsOperation } from '../app-routes/osdb-groups.js';
import { draftOperation } from '../app-routes/playground/draft-endpoint.js';
import { planOperation } from '../app-routes/playground/plan-sql.js';
import { playgroundOperation } from '../app-routes/playground/run-sql.js';
import type { ReadyParts } from '../app-routes/ready.js';
import type { BrowserSessions } from '../app-routes/sign-in/browser-sessions.js';
import { subscriptionOperations } from '../app-routes/subscriptions.js';
import { tableOperations } from '../app-routes/tables.js';
import { userOperations } from '../app-routes/user.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { SERVICE } from '../engine/http/package-root.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import type { Database, Engine } from '../engine/index.js';
import type { Playground } from '../explorer/playground/playground.js';
import type { Lookups } from '../github/lookups/lookups.js';
import { createNameSearch } from '../warehouse/search.js';
import { TABLE_REFERENCE } from '../warehouse/table-reference.js';
import { type ExplorerOperationParts, explorerOperations } from './explorer/explorer-operations.js';

export interface OperationParts {
  readonly health: HealthParts;
  readonly definitions: ReadyParts['definitions'];
  readonly database: Database;
  readonly engine: Engine;
  readonly playground: Playground;
  /** Returns the time for answers with data. With a fixed time, old data can be replayed. */
  readonly clock: () => Date;
  readonly state: StateStore;
  readonly users: Users;
  /** The tokens of the links in digests. */
  readonly unsubscribeTokens: () => Promise<UnsubscribeTokens>;
  readonly sendsDigests: boolean;
  readonly userKeys: UserKeys;
  readonly userRoles: UserRoles;
  /** Undefined if browser sign-in is not configured. */
  readonly browserSessions?: Pick<BrowserSessions, 'idOf' | 'removeCookie'> | undefined;
  readonly operator: Pick<OperatorParts, 'process' | 'cache' | 'queries' | 'keys' | 'reloads' | 'tracking' | 'report'>;
  readonly lookups: Lookups;
  readonly explorer: ExplorerOperationParts;
}

/** What `GET /` answers. */
export const HOME: ServiceDescription = {
  ...SERVICE,
  links: {
    reference: '/docs',
    openapi: '/openapi.json',
    collections: '/v1/collections/',
    trends: '/v1/trends/repos/',
    health: '/healthy/',
  },
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
  User: 'The signed-in user: profile, settings, subscriptions, sessions, API keys and stored data.',
  'Sign-in': 'Sign-in with a browser. Available if the operator configures an identity provider.',
  Console: 'What the console shows about definitions, pages and the signed-in user.',
};

/** Creates the hand-written operations of the service with the data of GitHub, except those of every service and those for sign-in. */
export function githubOperations(parts: OperationParts): Operation[] {
  const { database, playground, clock, state, users, userKeys, userRoles, browserSessions } = parts;
  const { lookups, definitions, explorer, operator } = parts;
  const digests = new Digests(database, state);
  const [subscriptions, sessions] = [new Subscriptions(database, state), new Sessions(database, state)];
  return [
    ...collectionOperations(database, clock),
    osdbGroupsOperation(database),
    ...tableOperations(TABLE_REFERENCE, 'mv_repo_stars'),
    playgroundOperation(playground, clock),
    planOperation(playground),
    draftOperation({ playground, database, definitions }),
    ...userOperations(users),
    ...digestOperations({ digests, users, tokens: parts.unsubscribeTokens, isAvailable: parts.sendsDigests }),
    ...accountOperations({ database, users, userKeys, userRoles, subscriptions, digests, sessions, browserSessions }),
    ...subscriptionOperations(subscriptions),
    ...lookupOperations(lookups),
    ...explorerOperations(explorer, { database, state, clock }),
    searchOperation(database, createNameSearch(database)),
    operatorOperation({ ...parts, ...operator }),
  ];
}

/** SQL that shows a language model what it may write. */
export const EXAMPLE_SQL =
  "SELECT type, COUNT(*) AS events FROM github_events WHERE event_day = '2026-06-01' GROUP BY type";

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

/** Returns the texts of the MCP server of this service. The texts about the tables are loaded when a client asks for them. */
export function githubMcp(database: Database): Pick<McpParts, 'about' | 'resources'> {
  const resources = async () => (await import('../app-routes/mcp/resources.js')).githubResources(database);
  return { about: GITHUB_MCP, resources };
}

const GITHUB_MCP: McpAbout = {
  ...SERVICE,
  instructions:
    'Analytic data about open-source repositories on GitHub. Prefer a tool with a fixed query. Use run_sql only if no other tool ' +
    'answers the question, after reading the resources of its tables. A result states whether it is truncated and how old its data ' +
    'are: repeat this to the user.',
};

import type { PagesState } from '../console/pages/next-pages.js';
import { exactObject } from '../engine/http/json-schema.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { RETRY_AFTER_SECONDS } from '../engine/http/problems/http-problem.js';
import { type LiveState, singleFlight } from '../engine/index.js';
import { type HealthPart, isAnswering } from './healthy.js';

export interface ReadyParts {
  readonly database: HealthPart;
  /** Returns the definitions that are served now. */
  readonly definitions: () => LiveState;
  readonly pages: () => PagesState;
  /** `isReady` is false while the service is stopping. */
  readonly drain: { readonly isReady: boolean };
}

/**
 * `GET /readyz` answers 200 if the service can answer requests and is not stopping, else 503 with the same body. Broken definitions and
 * pages do not change the status. Concurrent requests share one check of the database.
 */
export function readyOperation({ database, definitions, pages, drain }: ReadyParts): Operation {
  const check = singleFlight(() => isAnswering(database));
  return {
    id: 'ready',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Reports whether the service can answer requests, and the state of its definitions and pages',
    description:
      'Status 503 with the same body means that the database does not answer, or that the service is stopping (`draining`) and still ' +
      'answers the requests that it gets. `outdated` are definitions whose files have ' +
      'problems: their last good versions are served. `broken` are definitions that answer 503. The same applies to the ' +
      'pages of the console. Operators find the problems in the log and with `endpoint check`.',
    access: 'open',
    limit: 'none',
    answer: READY,
    statuses: [200, 503],
    handle: async () => {
      const isDraining = !drain.isReady;
      const ready = !isDraining && (await check());
      const { endpoints, outdated, broken } = definitions();
      return {
        status: ready ? 200 : 503,
        headers: { 'Cache-Control': 'no-store', ...(!ready && { 'Retry-After': RETRY_AFTER_SECONDS }) },
        body: {
          ready,
          draining: isDraining,
          definitions: {
            served: endpoints.length,
            outdated: outdated.map(({ endpoint, since }) => ({
              name: endpoint.definition.name,
              since: since.toISOString(),
            })),
            broken: broken.map(toBroken),
          },
          pages: statesOf(pages()),
        },
      };
    },
  };
}

function statesOf({ pages, broken }: PagesState) {
  return {
    served: pages.length,
    outdated: pages.flatMap(({ page: { name }, outdated }) =>
      outdated === undefined ? [] : [{ name, since: outdated.since.toISOString() }],
    ),
    broken: broken.map(toBroken),
  };
}

function toBroken({ name, path }: { readonly name: string | undefined; readonly path: string | undefined }) {
  return { name: name ?? null, path: path ?? null };
}

const NAME = { type: 'string' };
const STATES = {
  served: { type: 'integer', description: 'The number that is served, including outdated ones.' },
  outdated: {
    type: 'array',
    items: exactObject('OutdatedDefinition', { name: NAME, since: { type: 'string', format: 'date-time' } }),
  },
  broken: {
    type: 'array',
    items: exactObject('BrokenDefinition', {
      name: { type: ['string', 'null'] },
      path: { type: ['string', 'null'] },
    }),
  },
};
const READY = exactObject('Ready', {
  ready: { type: 'boolean' },
  draining: { type: 'boolean' },
  definitions: exactObject('DefinitionStates', STATES),
  pages: exactObject('PageStates', STATES),
});

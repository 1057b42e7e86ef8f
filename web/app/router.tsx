import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { NotFound } from '../parts/messages/not-found.js';
import { Layout } from './layout.js';
import { OWN_API } from './own-api.js';
import { ROOT_PATH } from './root-url.js';
import { parseSearch, type SearchValues, writeSearch } from './search-text.js';

interface RouterContext {
  readonly queryClient: QueryClient;
}

/** The query of a page as text. Each page reads the values that it knows. */
const validateSearch = (search: Record<string, unknown>): SearchValues => search as SearchValues;

const root = createRootRouteWithContext<RouterContext>()({ component: Layout, validateSearch });
const at = { getParentRoute: () => root } as const;

const routes = [
  createRoute({
    ...at,
    path: '/',
    component:
      OWN_API === undefined
        ? lazyRouteComponent(() => import('../home/home-page.js'), 'HomePage')
        : lazyRouteComponent(() => import('../home/own-home-page.js'), 'OwnHomePage'),
  }),
  createRoute({
    ...at,
    path: '/e',
    component: lazyRouteComponent(() => import('../endpoint/endpoint-list-page.js'), 'EndpointListPage'),
  }),
  createRoute({
    ...at,
    path: '/e/$name',
    component: lazyRouteComponent(() => import('../endpoint/endpoint-page.js'), 'EndpointPage'),
  }),
  createRoute({ ...at, path: '/p/$', component: lazyRouteComponent(() => import('../page/data-page.js'), 'DataPage') }),
  createRoute({ ...at, path: '/ask', component: lazyRouteComponent(() => import('../ask/ask-page.js'), 'AskPage') }),
  createRoute({
    ...at,
    path: '/ask/$question',
    component: lazyRouteComponent(() => import('../ask/question-page.js'), 'QuestionPage'),
  }),
  createRoute({
    ...at,
    path: '/playground',
    component: lazyRouteComponent(() => import('../playground/playground-page.js'), 'PlaygroundPage'),
  }),
  createRoute({
    ...at,
    path: '/account',
    component: lazyRouteComponent(() => import('../account/account-page.js'), 'AccountPage'),
  }),
  createRoute({
    ...at,
    path: '/operator',
    component: lazyRouteComponent(() => import('../operator/operator-page.js'), 'OperatorPage'),
  }),
  createRoute({
    ...at,
    path: '/embed/e/$name',
    component: lazyRouteComponent(() => import('../embed/endpoint-embed.js'), 'EndpointEmbed'),
  }),
];

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren(routes),
    context: { queryClient },
    ...(ROOT_PATH !== '' && { basepath: ROOT_PATH }),
    parseSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ({ error }) => <ErrorMessage error={error} />,
  });
}

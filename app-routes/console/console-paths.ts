/** A page of the console: what the server knows about it before its scripts run. */
export interface ConsolePath {
  /** The path as a route of express. */
  readonly route: string;
  /** The source of the page, as `web/app/router.tsx` names it. */
  readonly source: string;
  /** The title, if no definition and no page file has one. */
  readonly title: string;
  /** Returns the first request of the page, relative to the root of the service; undefined if the path is not simple. */
  readonly firstRequest?: (path: string) => string | undefined;
}

/** The paths of the console. Only these paths return its page; every other path is an operation or unknown. */
export const CONSOLE_PATHS: readonly ConsolePath[] = [
  { route: '/', source: 'home/home-page.tsx', title: 'Home', firstRequest: () => 'q/collections-by-growth' },
  { route: '/e', source: 'endpoint/endpoint-list-page.tsx', title: 'Endpoints' },
  { route: '/e/:name', source: 'endpoint/endpoint-page.tsx', title: 'Page', firstRequest: definitionRequest },
  { route: '/p/*path', source: 'page/data-page.tsx', title: 'Page', firstRequest: pageRequest },
  { route: '/ask', source: 'ask/ask-page.tsx', title: 'Ask' },
  { route: '/ask/:question', source: 'ask/question-page.tsx', title: 'Page' },
  { route: '/playground', source: 'playground/playground-page.tsx', title: 'Playground' },
  { route: '/account', source: 'account/account-page.tsx', title: 'Account' },
  { route: '/operator', source: 'operator/operator-page.tsx', title: 'Operator' },
  { route: '/embed/e/:name', source: 'embed/endpoint-embed.tsx', title: 'Page' },
];

function definitionRequest(path: string): string | undefined {
  const [, name] = /^\/e\/([\w-]+)\/?$/.exec(path) ?? [];
  return name === undefined ? undefined : `console/definitions/${name}/`;
}

function pageRequest(path: string): string | undefined {
  return /^\/p\/[\w./-]+$/.test(path) ? `console/page/?${new URLSearchParams({ path })}` : undefined;
}

import type { Page } from 'playwright-core';

/** A page in the pictures of `npm run shots`. */
export interface ShownPage {
  readonly name: string;
  readonly path: string;
  /** Steps before the picture. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Only the part of the page that fits on the screen, for pages with an open dialog. */
  readonly isScreen?: boolean;
  readonly isSignedIn?: boolean;
  /** The status of the page; 200 if absent. */
  readonly status?: number;
}

const REPOSITORY = 'owner=ivory-badger&repo=brook-series';

/** Every page of the console, and its most important states. */
export const PAGES: readonly ShownPage[] = [
  { name: 'home', path: '/' },
  { name: 'endpoints', path: '/e' },
  { name: 'endpoint-line', path: `/e/stargazers-history?${REPOSITORY}` },
  { name: 'endpoint-map', path: `/e/list-countries-of-stargazers?${REPOSITORY}` },
  { name: 'endpoint-table', path: '/e/list-trending-repos' },
  { name: 'endpoint-bars', path: '/e/collection-repo-ranking-by-stars?collection_id=2' },
  { name: 'endpoint-no-values', path: '/e/stargazers-history', status: 400 },
  { name: 'endpoint-error', path: '/e/list-trending-repos?period=never', status: 400 },
  { name: 'endpoint-unknown', path: '/e/no-such-endpoint', status: 404 },
  { name: 'ask', path: '/ask' },
  { name: 'playground', path: '/playground' },
  { name: 'account-signed-out', path: '/account' },
  { name: 'account', path: '/account', isSignedIn: true },
  { name: 'not-found', path: '/p/no/such/page' },
  { name: 'embed', path: `/embed/e/stargazers-history?${REPOSITORY}` },
];

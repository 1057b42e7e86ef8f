import type { Page } from 'playwright-core';

/** A page in the screenshots of `npm run shots`. */
export interface ShownPage {
  readonly name: string;
  readonly path: string;
  /** The steps before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Whether the screenshot only shows the visible part of the page, for pages with an open dialog. */
  readonly isScreen?: boolean;
  readonly isSignedIn?: boolean;
  /** Whether the documentation shows the upper part of this screenshot. */
  readonly isInDocs?: boolean;
  /** The expected HTTP status of the page. Default 200. */
  readonly status?: number;
}

const REPOSITORY = 'owner=ivory-badger&repo=brook-series';

/** All pages of the console, and their most important states. */
export const PAGES: readonly ShownPage[] = [
  { name: 'home', path: '/', isInDocs: true },
  { name: 'home-search', path: '/', prepare: (page) => search(page, 'ivory'), isScreen: true },
  { name: 'endpoints', path: '/e', isInDocs: true },
  { name: 'endpoint-line', path: `/e/stargazers-history?${REPOSITORY}` },
  { name: 'endpoint-lines', path: '/e/collections-growth-history', isInDocs: true },
  { name: 'endpoint-map', path: `/e/list-countries-of-stargazers?${REPOSITORY}`, isInDocs: true },
  { name: 'endpoint-heat-map', path: `/e/repository-hours?${REPOSITORY}`, isInDocs: true },
  { name: 'endpoint-table', path: '/e/list-trending-repos?_chart=Table' },
  { name: 'endpoint-bars', path: '/e/collection-repo-ranking-by-stars?collection_id=2' },
  {
    name: 'endpoint-sql',
    path: '/e/list-hot-collections',
    prepare: (page) => page.getByRole('tab', { name: 'SQL' }).click(),
  },
  {
    name: 'endpoint-plan',
    path: '/e/list-hot-collections',
    prepare: (page) => page.getByRole('tab', { name: 'Plan' }).click(),
  },
  { name: 'endpoint-no-values', path: '/e/stargazers-history', status: 400 },
  { name: 'endpoint-error', path: '/e/list-trending-repos?period=never', status: 400 },
  { name: 'endpoint-empty', path: '/e/stargazers-history?owner=no-such-owner&repo=nothing', status: 404 },
  { name: 'endpoint-unknown', path: '/e/no-such-endpoint', status: 404 },
  { name: 'collections', path: '/p/collections' },
  { name: 'collection', path: '/p/collections/2', isInDocs: true },
  { name: 'repository', path: '/p/repositories/ivory-badger/brook-series', isInDocs: true },
  {
    name: 'compare',
    path: '/p/compare?repos=ivory-badger/brook-series,ivory-raven/cliff-http,amber-ibex/reed-stack',
    isInDocs: true,
  },
  { name: 'person', path: '/p/people/talbot' },
  { name: 'ask', path: '/ask' },
  {
    name: 'ask-question',
    path: '/ask',
    isSignedIn: true,
    isInDocs: true,
    prepare: (page) => ask(page, 'which repositories are trending'),
  },
  { name: 'playground', path: '/playground' },
  { name: 'playground-result', path: '/playground', prepare: run, isInDocs: true },
  {
    name: 'playground-error',
    path: '/playground',
    status: 422,
    prepare: (page) => write(page, 'SELECT nothing\nFROM github_repoes'),
  },
  { name: 'account-signed-out', path: '/account' },
  { name: 'account', path: '/account', isSignedIn: true },
  { name: 'operator-signed-out', path: '/operator' },
  { name: 'not-found', path: '/p/no/such/page', status: 404 },
  { name: 'embed', path: `/embed/e/stargazers-history?${REPOSITORY}` },
  { name: 'api', path: '/docs' },
];

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('dialog').getByRole('combobox').fill(text);
  await page.getByRole('option').first().waitFor();
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.waitForURL(/ask\/.+/);
  await page.getByRole('main').getByRole('table').or(page.getByRole('main').getByRole('img')).first().waitFor();
}

async function write(page: Page, sql: string): Promise<void> {
  await page.getByRole('main').getByRole('textbox').first().fill(sql);
  await run(page);
}

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'Result' }).and(page.locator('[aria-busy=false]')).waitFor();
}

import { expect } from 'chai';
import { expectAccessible, expectFits } from './accessibility.js';
import { completePage } from './complete-page.js';
import { useConsole } from './use-console.js';

describe('the pages of the console', () => {
  const console = useConsole();
  const repository = () => console.demo.repository;
  const values = () => {
    const [owner, repo] = repository().split('/');
    return `owner=${owner}&repo=${repo}`;
  };

  /** For each page: its name, its path, and a text that is shown when the page is complete. */
  const pages: readonly (readonly [name: string, path: () => string, ready: RegExp])[] = [
    ['the start page', () => '/', /Trending repositories/],
    ['the list of endpoints', () => '/e', /Trending repositories/],
    ['an endpoint with a line', () => `/e/stargazers-history?${values()}`, /Data as of/],
    ['an endpoint with a map', () => `/e/list-countries-of-stargazers?${values()}`, /Data as of/],
    ['an endpoint with bars', () => '/e/collection-repo-ranking-by-stars?collection_id=2', /Data as of/],
    ['an endpoint with a wide table', () => '/e/list-trending-repos?_view=table', /Data as of/],
    ['an endpoint without values', () => '/e/stargazers-history', /required parameters/],
    ['the collections', () => '/p/collections', /./],
    ['a collection', () => '/p/collections/2', /New stars per month/],
    ['a repository', () => `/p/repositories/${repository()}`, /Stars over time/],
    ['a comparison', () => `/p/compare?repos=${repository()},ivory-badger/brook-series`, /./],
    ['a person', () => `/p/people/${repository().split('/')[0]}`, /./],
    ['the question page', () => '/ask', /Questions that endpoints answer/],
    ['the playground', () => '/playground', /github_events/],
    ['the account', () => '/account', /Sign-in is not configured/],
    ['the operator page', () => '/operator', /Sign-in is not configured/],
    ['an unknown page', () => '/p/no/such/page', /./],
    ['an embedded result', () => '/embed/e/list-collections', /Open in/],
  ];

  // One test uses one page for all paths, because a page in a new context takes longer to open.
  console.it('fit into a desktop and a phone, and are accessible', async (open) => {
    const page = await open('/', { expected: / 404 / });
    for (const [name, path, ready] of pages) {
      if (path() !== '/') await page.goto(console.demo.service.url + path());
      await page.getByRole('main').getByText(ready).first().waitFor();
      await completePage(page);
      await expectFits(page);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await page.getByRole('heading', { level: 1 }).count(), name).to.equal(1);
    }
  });
});

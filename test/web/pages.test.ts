import { expect } from 'chai';
import { expectAccessible, expectFits } from './accessibility.js';
import { completePage } from './complete-page.js';
import { useConsole } from './use-console.js';

describe('the pages of the console', () => {
  const console = useConsole();
  const [owner, repo] = ['ivory-badger', 'brook-series'];
  const repository = () => {
    const [of = owner, name = repo] = console.demo.repository.split('/');
    return `owner=${of}&repo=${name}`;
  };

  /** The path of a page by its name, and the texts that the page shows when it is complete. */
  const pages: readonly (readonly [name: string, path: () => string, ready: RegExp])[] = [
    ['the start page', () => '/', /./],
    ['the list of endpoints', () => '/e', /list-trending-repos|trending/i],
    ['an endpoint with a line', () => `/e/stargazers-history?${repository()}`, /rows?/],
    ['an endpoint with countries', () => `/e/list-countries-of-stargazers?${repository()}`, /rows?/],
    ['an endpoint with a ranking', () => '/e/collection-repo-ranking-by-stars?collection_id=2', /rows?/],
    ['an endpoint with a wide table', () => '/e/list-trending-repos', /rows?/],
    ['the question page', () => '/ask', /./],
    ['the playground', () => '/playground', /./],
    ['the account', () => '/account', /Sign-in is not configured/],
    ['an unknown page', () => '/p/no/such/page', /./],
  ];

  for (const [name, path, ready] of pages) {
    console.it(`${name} fits into a desktop and a phone, and has no serious finding of axe`, async (open) => {
      const page = await open(path(), { expected: / 404 / });
      await page.getByRole('main').getByText(ready).first().waitFor();
      await completePage(page);
      await expectFits(page);
      await expectAccessible(page);
      expect(await page.getByRole('heading', { level: 1 }).count()).to.equal(1);
    });
  }
});

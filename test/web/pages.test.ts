import { expect } from 'chai';
import { DESKTOP, PHONE, useConsole } from './use-console.js';

describe('the pages of the console', () => {
  const console = useConsole();

  for (const path of ['/', '/e', '/e/stargazers-history?owner=a&repo=b', '/ask', '/playground', '/account']) {
    console.it(`${path} fits into a desktop and a phone`, async (open) => {
      for (const size of [DESKTOP, PHONE]) {
        const page = await open(path, size);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(size.viewport.width);
      }
    });
  }
});

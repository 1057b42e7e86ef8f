import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { NOW } from '../service/demo-data.js';
import { useConsole } from './use-console.js';

/** Makes requests for a file of the console fail, as after an update of the service. */
async function removeFile(page: Page, name: string): Promise<void> {
  await page.route(`**/assets/${name}-*.js`, (route) => route.fulfill({ status: 404, contentType: 'text/plain' }));
}

const MISSING = / 404 |dynamically imported module/;

describe('the console in other conditions', () => {
  const console = useConsole();

  console.it('keeps the page if the search cannot be loaded', async (open) => {
    const page = await open('/account', { expected: MISSING });
    await removeFile(page, 'search-dialog');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('alert').getByText('A part of the console could not be loaded').waitFor();
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await page.unroute('**/assets/search-dialog-*.js');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').waitFor();
  });

  console.it('says that a page is missing in a new version, and loads it again', async (open) => {
    const page = await open('/account', { expected: MISSING });
    await removeFile(page, 'endpoint-list-page');
    await page.getByRole('link', { name: 'Endpoints' }).first().click();
    await page.getByRole('alert').getByText('The service may have a new version').waitFor();
    await page.unroute('**/assets/endpoint-list-page-*.js');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
  });

  for (const [locale, timezoneId] of [
    ['th-TH', 'America/Los_Angeles'],
    ['fa-IR', 'Pacific/Kiritimati'],
  ] as const) {
    console.it(`shows days of the calendar of the data in ${locale} and ${timezoneId}`, async (open) => {
      const page = await open('/e/list-trending-repos', { locale, timezoneId });
      const text = await page.getByText(/Data as of/).textContent();
      const year = new Intl.DateTimeFormat(locale, { calendar: 'gregory', year: 'numeric', timeZone: 'UTC' });
      expect(text)
        .to.contain(year.format(new Date(NOW)))
        .and.to.match(/(?:minutes?|hours?|days?|months?|years?) old/);
    });
  }
});

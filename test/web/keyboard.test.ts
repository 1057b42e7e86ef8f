import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../services/eventually.js';
import { expectVisibleFocus } from './accessibility.js';
import { completePage } from './complete-page.js';
import { PHONE } from './sessions.js';
import { useConsole } from './use-console.js';

describe('the console with the keyboard only', () => {
  const console = useConsole();

  console.it('skips the navigation, and shows the focus at each step', async (open) => {
    const page = await open('/e/list-trending-repos?_view=table');
    await completePage(page);
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.match(/skip to content/i);
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('content');
    const seen = new Set<string>();
    for (let step = 0; step < 25; step++) {
      await page.keyboard.press('Tab');
      await expectVisibleFocus(page);
      seen.add(await focused(page));
    }
    expect(seen.size).to.be.above(15);
  });

  console.it('searches with / and opens a result with the cursor keys and Enter', async (open) => {
    const page = await open('/account');
    await completePage(page);
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').waitFor();
    await page.keyboard.type('hot coll');
    await dialog
      .getByRole('option', { name: /Hot collections/ })
      .first()
      .waitFor();
    // Before that, results for the first letters can still be shown above it.
    await dialog.locator('[role=listbox][aria-busy=false]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await dialog.getByRole('option', { selected: true }).count()).to.equal(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/e\/list-hot-collections/);
    expect(await dialog.count()).to.equal(0);
    await page.keyboard.press('Control+k');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  console.it('finds the repository of an address on GitHub', async (open) => {
    const page = await open('/account');
    await completePage(page);
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').fill(`https://github.com/${console.demo.repository}/issues?q=1`);
    await dialog.getByRole('option', { name: console.demo.repository }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/p/repositories/${console.demo.repository}`);
  });

  console.it(
    'opens the search again, if its keys are pressed before the browser has reported that it was closed',
    async (open) => {
      const page = await open('/account');
      await completePage(page);
      await page.keyboard.press('/');
      const dialog = page.getByRole('dialog', { name: 'Search' });
      await dialog.getByRole('combobox').waitFor();
      await page.evaluate(CLOSE_AND_OPEN);
      await page.evaluate(NEXT_TASKS);
      expect(await dialog.count()).to.equal(1);
    },
  );

  console.it(
    'opens a result of the whole text, if Enter is pressed while a result of its first letters is shown',
    async (open) => {
      const page = await open('/account');
      await completePage(page);
      const held: Route[] = [];
      await page.route('**/console/search/**', (route) => void held.push(route));
      await page.keyboard.press('/');
      const dialog = page.getByRole('dialog', { name: 'Search' });
      await dialog.getByRole('combobox').waitFor();
      const requestOf = (text: string) =>
        held.find((route) => new URL(route.request().url()).searchParams.get('q') === text);
      // If letters are typed slowly, results are also requested in between.
      await page.keyboard.type('tr');
      await eventually(() => requestOf('tr') !== undefined);
      await page.keyboard.type('ending');
      await dialog.getByRole('option', { selected: true, name: /list-trending-repos/ }).waitFor();
      await page.keyboard.press('Enter');
      expect(await dialog.count()).to.equal(1);
      await eventually(() => requestOf('trending') !== undefined);
      const found = {
        repositories: [{ id: 1, fullName: 'trending/first' }],
        people: [],
        organizations: [],
        collections: [],
      };
      await requestOf('trending')?.fulfill({ json: found });
      await page.waitForURL('**/p/repositories/trending/first');
      expect(await dialog.count()).to.equal(0);
    },
  );

  console.it('changes a form, the view and the order of a table', async (open) => {
    const page = await open('/e/list-trending-repos');
    await completePage(page);
    await page.getByLabel('Period').focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/period=/);
    await completePage(page);
    const selected = page.getByRole('tablist', { name: 'Result' }).getByRole('tab', { selected: true });
    await selected.focus();
    await page.keyboard.press((await selected.textContent()) === 'Chart' ? 'ArrowRight' : 'End');
    await page.getByRole('columnheader', { name: 'Stars' }).waitFor();
    await page.getByRole('columnheader', { name: 'Stars' }).getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/_sort=/);
    await page.getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: 'CSV' })
      .or(page.getByRole('menuitem', { name: 'CSV' }))
      .waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: 'CSV' })
      .or(page.getByRole('menuitem', { name: 'CSV' }))
      .waitFor({ state: 'hidden' });
    expect(await focused(page)).to.match(/share/i);
  });

  console.it('opens and closes the menu of a phone', async (open) => {
    const page = await open('/', PHONE);
    const menu = page.getByRole('button', { name: 'Open the menu' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Endpoints' });
    await link.waitFor();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/e$/);
    await link.waitFor({ state: 'hidden' });
  });

  console.it('runs SQL in the playground, and leaves its editor', async (open) => {
    const page = await open('/playground');
    const editor = page.getByRole('main').getByRole('textbox').first();
    await editor.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('SELECT COUNT(*) AS repositories FROM github_repos');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Result' }).getByText('repositories').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.match(/^Run/);
  });
});

/** Returns the accessible name of the focused element. */
async function focused(page: Page): Promise<string> {
  return (await page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? (document.activeElement.textContent || document.activeElement.id || document.activeElement.tagName)",
  )) as string;
}

/** Closes and opens the dialog in one task of the browser, because the browser reports the closing in a later task. */
const CLOSE_AND_OPEN = `{
  document.querySelector('dialog').close();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
}`;

/** The browser reports the closing in a task before these frames. */
const NEXT_TASKS = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`;

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { completePage, waitUntil } from './complete-page.js';
import { useConsoleService } from './console-service.js';
import { THREE_ROWS } from './own-definitions.js';

/** An expression that returns the picture of the first chart as text. */
const PICTURE = `(() => {
  const copy = document.createElement('canvas');
  const shown = document.querySelector('figure canvas');
  copy.width = shown.width;
  copy.height = shown.height;
  copy.getContext('2d').drawImage(shown, 0, 0);
  return copy.toDataURL();
})()`;

describe('charts in the console', () => {
  const console = useConsoleService({ definitions: { 'three-rows': THREE_ROWS } });

  console.it('show a tooltip while the pointer is on them', async (open) => {
    const page = await openChart(open);
    const before = await page.evaluate<string>(PICTURE);
    await page.locator('figure canvas').hover();
    await waitUntil(page, `${PICTURE} !== ${JSON.stringify(before)}`);
    await page.mouse.move(0, 0);
    await waitUntil(page, `${PICTURE} === ${JSON.stringify(before)}`);
  });

  console.it('are drawn again for another theme and another width', async (open) => {
    const page = await openChart(open);
    const before = await page.evaluate<string>(PICTURE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await waitUntil(page, `${PICTURE} !== ${JSON.stringify(before)}`);
    await completePage(page);
    const dark = await page.evaluate<string>(PICTURE);
    await page.setViewportSize({ width: 500, height: 800 });
    await waitUntil(page, `${PICTURE} !== ${JSON.stringify(dark)}`);
    await completePage(page);
  });

  console.it('say that their library cannot be loaded', async (open) => {
    const page = await open('/e/three-rows?_view=table', { expected: /chart-worker|ERR_FAILED/ });
    await page.context().route(/chart-worker/, (route) => route.abort());
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('alert').getByText('The chart could not be loaded.').waitFor();
    expect(await page.locator('figure canvas').isVisible()).to.equal(false);
  });
});

async function openChart(open: (path: string) => Promise<Page>): Promise<Page> {
  const page = await open('/e/three-rows?_view=chart&_chart=BarChart');
  await page.getByRole('main').getByRole('img').first().waitFor();
  await completePage(page);
  return page;
}

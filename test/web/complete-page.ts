import type { Page } from 'playwright-core';

/** Waits until no part of the page is being loaded, and its charts and fonts are drawn. */
export async function completePage(page: Page): Promise<void> {
  await page.waitForFunction(IS_COMPLETE);
  await page.evaluate(NEXT_FRAMES);
}

const IS_COMPLETE = `document.querySelector('h1, [role=alert], figure, table') !== null &&
  document.querySelector('[aria-busy=true]') === null &&
  ![...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent.startsWith('Loading'))`;

/** Charts are drawn in the frame after their data arrive. */
const NEXT_FRAMES = `document.fonts.ready.then(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))))`;

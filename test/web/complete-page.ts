import type { Page } from 'playwright-core';
import { eventually } from '../services/eventually.js';

/** Waits until no part and no image of the page is being loaded, and its charts and fonts are drawn. */
export async function completePage(page: Page): Promise<void> {
  await waitUntil(page, IS_COMPLETE);
  await page.evaluate(NEXT_FRAMES);
}

/**
 * Waits until an expression is true in a frame of the page. Playwright's `waitForFunction` is not used: it would evaluate text in the page,
 * which the security policy forbids.
 */
export function waitUntil(page: Page, expression: string): Promise<void> {
  return eventually(() => page.evaluate(`new Promise((done) => requestAnimationFrame(() => done(${expression})))`));
}

const IS_COMPLETE = `document.querySelector('h1, [role=alert], figure, table') !== null &&
  document.querySelector('[aria-busy=true]') === null && [...document.images].every(({ complete }) => complete)`;

/** Charts are drawn in the frame after their data have arrived. */
const NEXT_FRAMES = `document.fonts.ready.then(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))))`;

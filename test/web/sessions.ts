import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { LIMIT_MS } from '../services/eventually.js';
import { type PageProblems, watchProblems } from './page-problems.js';

/** A page in a separate browser context, with its problems. */
export interface Session {
  readonly page: Page;
  readonly problems: PageProblems;
}

/** Window sizes: a desktop, and the smallest phone. */
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;

/**
 * Unused sessions of this process, by their options. A new browser process needs four times the CPU time of a page in an existing one, so
 * sessions are reused, after their cookies and storage were cleared.
 */
const free = new Map<string, Session[]>();

export async function takeSession(browser: Browser, options: BrowserContextOptions): Promise<Session> {
  return free.get(JSON.stringify(options))?.pop() ?? openSession(browser, options);
}

/** Keeps a session for later tests, and removes everything that they could see from this test. */
export async function keepSession({ page, problems }: Session, options: BrowserContextOptions): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearCookies()]);
  const debugging = await context.newCDPSession(page);
  await debugging.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' });
  await debugging.detach();
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(options.viewport ?? DESKTOP.viewport);
  await page.mouse.move(0, 0);
  const key = JSON.stringify(options);
  free.set(key, [...(free.get(key) ?? []), { page, problems }]);
}

async function openSession(browser: Browser, options: BrowserContextOptions): Promise<Session> {
  const context = await browser.newContext({ ...DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(LIMIT_MS);
  const problems = watchProblems(context);
  return { page: await context.newPage(), problems };
}

import type { Browser, CDPSession, Page } from 'playwright-core';

/** The delays that a visitor of a page experiences. Times are in milliseconds after the start of the navigation. */
export interface PageTimes {
  readonly largestPaintMs: number;
  /** Total blocking time: for each long task, the part above 50 ms, from the first paint until the page is idle. */
  readonly blockingMs: number;
  /**
   * The sum of all layout shifts that the user did not cause. It is at least as large as the metric CLS, which only contains the worst
   * period.
   */
  readonly layoutShift: number;
  /** The element of the largest contentful paint. */
  readonly largestElement: string;
}

export interface LoadedScripts {
  readonly kilobytes: number;
  readonly names: readonly string[];
}

const SLOWDOWN = 4;
const IDLE_MS = 2_000;
const TIMEOUT_MS = 60_000;

/** Opens a page with an empty cache on a slow processor, and waits until it is idle. */
export async function measurePage(browser: Browser, url: string): Promise<PageTimes> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(observe);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await openUntilIdle(page, url);
    return await page.evaluate<PageTimes>('window.readTimes()');
  } finally {
    await context.close();
  }
}

/** Measures the scripts that a page loads before its charts: the size of their bodies, compressed with gzip. */
export async function measureScripts(browser: Browser, url: string, isChart: RegExp): Promise<LoadedScripts> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': 'gzip' } });
    const sizes = collectScripts(session);
    await openUntilIdle(page, url);
    const loaded = [...sizes].filter(([name]) => !isChart.test(name));
    return {
      kilobytes: loaded.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000,
      names: loaded.map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)}`),
    };
  } finally {
    await context.close();
  }
}

/** Returns the sizes of scripts by name. The map is filled while the page loads. */
function collectScripts(session: CDPSession): ReadonlyMap<string, number> {
  const names = new Map<string, string>();
  const headers = new Map<string, number>();
  const sizes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' || response.mimeType.includes('javascript')) {
      headers.set(requestId, response.encodedDataLength);
      names.set(requestId, new URL(response.url).pathname.split('/').at(-1) ?? '');
    }
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId);
    if (name !== undefined) sizes.set(name, encodedDataLength - (headers.get(requestId) ?? 0));
  });
  return sizes;
}

async function openUntilIdle(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'load', timeout: TIMEOUT_MS });
  await page.waitForLoadState('networkidle', { timeout: TIMEOUT_MS });
  await page.waitForTimeout(IDLE_MS);
}

/** This code runs in the page, before its scripts. The code must not use anything from this module. */
const observe = `(() => {
  let paint = 0, element = '', blocking = 0, shift = 0;
  const tasks = [];
  const each = (type, use) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true });
  each('largest-contentful-paint', (entry) => {
    paint = entry.startTime;
    element = entry.element ? entry.element.tagName.toLowerCase() + ' ' + entry.element.textContent.slice(0, 40) : '';
  });
  each('longtask', ({ startTime, duration }) => tasks.push({ startTime, duration }));
  each('layout-shift', (entry) => { if (!entry.hadRecentInput) shift += entry.value; });
  window.readTimes = () => {
    const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    for (const { startTime, duration } of tasks) {
      const begin = Math.max(startTime, first);
      blocking += Math.max(0, startTime + duration - begin - 50);
    }
    return { largestPaintMs: paint, blockingMs: blocking, layoutShift: shift, largestElement: element, first, tasks };
  };
})()`;

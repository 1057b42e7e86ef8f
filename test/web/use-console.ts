import { AssertionError } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { useChromium } from '../services/chromium.js';
import { watchProblems } from './page-problems.js';

export interface OpenOptions extends BrowserContextOptions {
  /** Problems that the test causes, such as the status 429 of a request. */
  readonly expected?: RegExp;
  /** Other origins that the page may request, such as the one of a sign-in provider. */
  readonly origins?: readonly string[];
  /** The URL of the service as the browser reaches it, if it is not the URL of the service. */
  readonly root?: string;
}

/** Opens a path of the console in a new context, which shares nothing with other pages of the test. */
export type OpenPage = (path: string, options?: OpenOptions) => Promise<Page>;

export interface ConsoleOfSuite {
  /** The service of the suite. Read it only in tests and hooks. */
  readonly demo: DemoService;
  /**
   * Defines a test with pages. The test fails if one of its pages has an error, writes to the browser's console, violates its
   * security policy, or requests another origin. Its pages are closed when it ends.
   */
  it(title: string, test: (open: OpenPage) => Promise<void>): void;
}

/** Widths of pages: a desktop, and the smallest phone. */
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;

/** Milliseconds that a page may need for one step. A step needs far less; several suites share the processors. */
const STEP_MS = 15_000;

/** Starts a demo service and connects to Chromium for the calling suite. `start` starts another service. */
export function useConsole(start: () => Promise<DemoService> = () => startDemoService()): ConsoleOfSuite {
  const chromium = useChromium();
  let demo: DemoService | undefined;
  before(async () => {
    demo = await start();
  });
  after(() => demo?.close());
  const service = () => {
    if (demo === undefined) throw new Error('The service is available in tests and hooks only.');
    return demo;
  };
  return {
    get demo() {
      return service();
    },
    it: (title, test) => {
      it(title, async () => {
        const sessions: Session[] = [];
        try {
          await test(async (path, options = {}) => {
            const session = await openSession(chromium.browser, service().service.url, options);
            sessions.push(session);
            await session.page.goto((options.root ?? service().service.url) + path);
            return session.page;
          });
        } catch (error) {
          // A problem is often the reason why a test waits in vain.
          // Mocha shows the difference of an assertion.
          if (error instanceof AssertionError) throw error;
          const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
          throw new Error([message, problemsOf(sessions), await describePages(sessions)].join('\n'));
        } finally {
          await Promise.all(sessions.map(({ page }) => page.context().close()));
        }
        const problems = problemsOf(sessions);
        if (problems !== '') throw new Error(problems);
      });
    },
  };
}

interface Session {
  readonly page: Page;
  readonly problems: () => readonly string[];
}

function problemsOf(sessions: readonly Session[]): string {
  const problems = sessions.flatMap((session) => session.problems());
  return problems.length === 0 ? '' : `The pages have problems:\n${problems.join('\n')}`;
}

/** What the pages show to assistive technology. */
async function describePages(sessions: readonly Session[]): Promise<string> {
  const texts = sessions.map(async ({ page }) => {
    const content = await page.locator('main').ariaSnapshot({ timeout: 1_000 });
    return `${page.url()} showed:\n${content.slice(0, 3_000)}`;
  });
  return (await Promise.all(texts.map((text) => text.catch(String)))).join('\n');
}

async function openSession(
  browser: ReturnType<typeof useChromium>['browser'],
  url: string,
  { expected, origins = [], root = url, ...options }: OpenOptions,
): Promise<Session> {
  const context = await browser.newContext({ ...DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(STEP_MS);
  const problems = watchProblems(context, [new URL(root).origin, ...origins]);
  const page = await context.newPage();
  return { page, problems: () => problems.filter((problem) => expected?.test(problem) !== true) };
}

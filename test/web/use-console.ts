import { AssertionError } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type DemoService, useSharedDemo, waitForPlayground } from '../service/demo-service.js';
import { useChromium } from '../services/chromium.js';
import { keepSession, type Session, takeSession } from './sessions.js';

export interface OpenOptions extends BrowserContextOptions {
  /** Problems that the test causes, such as the status 429 of a request. */
  readonly expected?: RegExp;
  /** Other origins that the page may request, such as the one of a sign-in provider. */
  readonly origins?: readonly string[];
  /** The URL of the service as the browser reaches it, if it is not the URL of the service. */
  readonly root?: string;
}

/** Opens a path of the console in its own context, which has no cookies and no storage, and shares nothing with other pages. */
export type OpenPage = (path: string, options?: OpenOptions) => Promise<Page>;

export interface ConsoleOfSuite<Service extends DemoService = DemoService> {
  /** The service of the suite. Read it only in tests and hooks. */
  readonly demo: Service;
  /**
   * Defines a test with pages. The test fails if one of its pages has an error, writes to the browser's console, violates its
   * security policy, or requests another origin. Later tests use its contexts again, without their cookies and their storage.
   */
  it(title: string, test: (open: OpenPage) => Promise<void>): void;
}

/** Connects to Chromium for the calling suite, with the demo service that suites share, or with the one that `start` starts. */
export function useConsole(start?: () => Promise<DemoService>): ConsoleOfSuite {
  if (start === undefined) {
    const shared = useSharedDemo();
    before(() => waitForPlayground(shared.demo));
    return consoleOf(() => shared.demo);
  }
  let demo: DemoService | undefined;
  before(async () => {
    demo = await start();
  });
  after(() => demo?.close());
  return consoleOf(() => demo);
}

/** Connects to Chromium for a suite with this service. */
export function consoleOf<Service extends DemoService>(find: () => Service | undefined): ConsoleOfSuite<Service> {
  const chromium = useChromium();
  const service = () => {
    const found = find();
    if (found === undefined) throw new Error('The service is available in tests and hooks only.');
    return found;
  };
  return {
    get demo() {
      return service();
    },
    it: (title, test) => {
      it(title, async () => {
        const sessions: OpenedSession[] = [];
        try {
          await test(async (path, { expected, origins = [], root = service().service.url, ...options } = {}) => {
            const session = await takeSession(chromium.browser, options);
            session.problems.restart([new URL(root).origin, ...origins]);
            sessions.push({ ...session, expected, options });
            await session.page.goto(root + path);
            return session.page;
          });
        } catch (error) {
          // A problem is often the reason why a test waits in vain.
          // Mocha shows the difference of an assertion.
          if (error instanceof AssertionError) throw error;
          const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
          throw new Error([message, problemsOf(sessions), await describePages(sessions)].join('\n'));
        }
        const problems = problemsOf(sessions);
        if (problems !== '') throw new Error(problems);
        // A failed test leaves its pages open. They end with the browser.
        await Promise.all(sessions.map((session) => keepSession(session, session.options)));
      });
    },
  };
}

interface OpenedSession extends Session {
  readonly expected: RegExp | undefined;
  readonly options: BrowserContextOptions;
}

function problemsOf(sessions: readonly OpenedSession[]): string {
  const problems = sessions.flatMap(({ problems: { found }, expected }) =>
    found.filter((problem) => expected?.test(problem) !== true),
  );
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

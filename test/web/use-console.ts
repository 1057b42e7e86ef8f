import { AssertionError } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type DemoService, useSharedDemo, waitForPlayground } from '../service/demo-service.js';
import { useChromium } from '../services/chromium.js';
import { keepSession, type Session, takeSession } from './sessions.js';

export interface OpenOptions extends BrowserContextOptions {
  /** Matches problems that the test causes deliberately, such as the status 429. */
  readonly expected?: RegExp;
  /** Additional origins that the page may request, such as that of a sign-in provider. */
  readonly origins?: readonly string[];
  /** The URL under which the browser reaches the service, if it differs from that of the service. */
  readonly root?: string;
}

/** Opens a path of the console in a separate browser context, without cookies and storage. */
export type OpenPage = (path: string, options?: OpenOptions) => Promise<Page>;

export interface ConsoleOfSuite<Service extends DemoService = DemoService> {
  /** The service of the suite. `demo` must only be read in tests and hooks. */
  readonly demo: Service;
  /**
   * Defines a test with pages. The test fails if one of its pages has an error, writes to the browser's console, violates its security
   * policy, or requests another origin. Later tests reuse its browser contexts, after their cookies and storage were cleared.
   */
  it(title: string, test: (open: OpenPage) => Promise<void>): void;
}

/** Connects the calling suite to Chromium and to the shared demo service, or to the service that `start` starts. */
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
          // The page problems are added to the error, because they are often the reason why a test waits in vain. An assertion error is not
          // changed, because Mocha shows its difference.
          if (error instanceof AssertionError) throw error;
          const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
          throw new Error([message, problemsOf(sessions), await describePages(sessions)].join('\n'));
        }
        const problems = problemsOf(sessions);
        if (problems !== '') throw new Error(problems);
        // A failed test leaves its pages open. These pages are closed with the browser.
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

/** Describes the pages as assistive technology sees them. */
async function describePages(sessions: readonly Session[]): Promise<string> {
  const texts = sessions.map(async ({ page }) => {
    const content = await page.locator('main').ariaSnapshot({ timeout: 1_000 });
    return `${page.url()} showed:\n${content.slice(0, 3_000)}`;
  });
  return (await Promise.all(texts.map((text) => text.catch(String)))).join('\n');
}

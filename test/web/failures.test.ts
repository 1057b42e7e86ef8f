import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { completePage } from './complete-page.js';
import { useConsoleService } from './console-service.js';
import { THREE_ROWS } from './own-definitions.js';
import { useConsole } from './use-console.js';

const alertOf = (page: Page) => page.getByRole('main').getByRole('alert').first();

describe('failures and incomplete results in the console', () => {
  const console = useConsoleService({
    definitions: {
      broken: THREE_ROWS.replace('SELECT kind, weight', 'SELECT kind, wait'),
      limited: `${THREE_ROWS}limits: { rows: 2 }
data_as_of: SELECT MIN(newest_at) - INTERVAL 9 DAY FROM mv_event_coverage
notices:
  - when: always
    sql: SELECT 'The oven was cold.' AS notice
deprecated: 2026-01-31
sunset: 2027-01-31
`,
      'three-rows': THREE_ROWS,
      empty: THREE_ROWS.replace('ORDER BY kind', "WHERE kind = 'none'\n  ORDER BY kind"),
    },
  });

  console.it('say that a definition is broken, and keep the others', async (open) => {
    const page = await open('/e/broken', { expected: / 503 / });
    await alertOf(page)
      .getByText(/broken/)
      .first()
      .waitFor();
    await page.goto(`${console.demo.service.url}/e`);
    await page
      .getByRole('main')
      .getByText(/broken/i)
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /Collections of repositories/ })
      .first()
      .waitFor();
  });

  console.it('show results that are incomplete, old, empty, or of the last good version', async (open) => {
    const page = await open('/e/limited');
    const expectTexts = async (...texts: readonly RegExp[]) => {
      for (const text of texts) await page.getByRole('main').getByText(text).first().waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
    };
    await expectTexts(/Only the first 2 rows/, /Stale/, /Deprecated/, /The oven/);
    await page.goto(`${console.demo.service.url}/e/three-rows`);
    await expectTexts(/age of the data is not known/);
    await page.goto(`${console.demo.service.url}/e/empty`);
    await expectTexts(/No rows/);
    await console.demo.definitions.write(
      'empty.yaml',
      `name: empty\n${THREE_ROWS.replace('SELECT kind', 'SELECT knd')}`,
    );
    await console.demo.reload();
    await page.reload();
    await page
      .getByRole('main')
      .getByText(/last good version/)
      .first()
      .waitFor();
  });

  console.it('show the first steps instead of cards without data on the start page', async (open) => {
    const page = await open('/e');
    await page.route(/\/q\/(?:data-event-types|collections-by-growth)/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), data: [] } });
    });
    await page.goto(`${console.demo.service.url}/`);
    const steps = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
    await steps.nth(3).waitFor();
    for (const name of ['Trending repositories', 'Which hours do the data contain?']) {
      await page.getByRole('heading', { level: 2, name }).waitFor({ state: 'detached' });
    }
    const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).to.deep.equal(['First steps', 'Start with a question', 'For developers']);
    await page.unroute(/\/q\/(?:data-event-types|collections-by-growth)/);
    await page.route(/\/q\/collections-by-growth/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), data: [] } });
    });
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Trending repositories' }).waitFor();
    await steps.first().getByText('done').waitFor();
    expect(await steps.getByText('done').count()).to.equal(1);
  });

  console.it('show a failure that all blocks of a page have once, and load all of them again', async (open) => {
    const page = await open('/e', { expected: / 429 / });
    await page.route('**/q/**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '1', 'Content-Type': 'application/problem+json' },
        json: {
          type: 'about:blank',
          title: 'Too Many Requests',
          status: 429,
          code: 'rate_limited',
          detail: 'Too many.',
        },
      }),
    );
    await page.goto(`${console.demo.service.url}/p/collections/2`);
    const main = page.getByRole('main');
    // Until all blocks have failed, each of them can show its failure.
    await main.getByRole('alert').getByText('Too many requests').first().waitFor();
    await completePage(page);
    expect([await main.getByRole('alert').count(), await main.getByText('Not loaded').count()]).to.deep.equal([1, 8]);
    await page.unroute('**/q/**');
    await main.getByRole('button', { name: 'Try again', exact: true }).click();
    await main.getByRole('table').first().waitFor();
    await completePage(page);
    expect([await main.getByRole('alert').count(), await main.getByText('Not loaded').count()]).to.deep.equal([0, 0]);
  });

  console.it('show a page that does not exist, and an unknown endpoint', async (open) => {
    const page = await open('/e', { expected: / 404 / });
    for (const [path, text] of [
      ['/p/no/such/page', /not found|no page/i],
      ['/e/no-such-endpoint', /no such endpoint|no endpoint/i],
    ] as const) {
      await page.goto(console.demo.service.url + path);
      await page.getByText(text).first().waitFor();
      expect(await page.getByRole('navigation', { name: 'Main' }).count()).to.equal(1);
    }
  });
});

describe('the console without its service', () => {
  const console = useConsole();

  console.it('keeps the page, and loads it after the service answers again', async (open) => {
    const page = await open('/e', { expected: /ERR_FAILED/ });
    const link = page.getByRole('main').getByRole('link', { name: /Hot collections/ });
    await link.first().waitFor();
    await page.route(/\/(?:q|console)\//, (route) => route.abort());
    await link.first().click();
    await page.getByRole('main').getByText('The service cannot be reached').waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).to.equal(1);
    await page.unroute(/\/(?:q|console)\//);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Hot collections' }).waitFor();
  });

  console.it('loads itself again if the service has a newer version without the files of this page', async (open) => {
    const page = await open('/e', { expected: / 404 / });
    const link = page.getByRole('main').getByRole('link', { name: /Hot collections/ });
    await link.first().waitFor();
    await page.route(/\/assets\/endpoint-page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await link.first().click();
    await page.getByRole('heading', { level: 1, name: 'Hot collections' }).waitFor();
  });
});

describe('the console with an exceeded limit', () => {
  const console = useConsole(() => startDemoService({ RATE_LIMIT_PER_HOUR: '1', ENDPOINTS_DIR: FEW_ENDPOINTS }));

  console.it('says that there were too many requests, and when to try again', async (open) => {
    const page = await open('/e/list-collections', { expected: / 429 / });
    await page
      .getByRole('main')
      .getByText(/rows|Result/)
      .first()
      .waitFor();
    await page.goto(`${console.demo.service.url}/e/list-hot-collections`);
    await alertOf(page).getByText('Too many requests').waitFor();
    await alertOf(page)
      .getByText(/Try again in \d/)
      .first()
      .waitFor();
  });
});

describe('the console without its database', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  const console = useConsole(async () => {
    const url = new URL(server.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    return startDemoService({ ...server.environment, DATABASE_URL: url.href, ENDPOINTS_DIR: FEW_ENDPOINTS });
  });

  console.it('says that the database cannot be reached, and shows stored answers as stale', async (open) => {
    const stored = await open('/e/list-collections', { expected: / 50[34] / });
    await stored.getByRole('main').getByRole('table').waitFor();
    await proxy.close();
    // The service still uses the versions that it has read for a moment.
    await eventually(async () => {
      await stored.reload();
      await completePage(stored);
      return (await stored.getByText('This is the last answer that was stored.').count()) > 0;
    });
    await stored.getByRole('main').getByRole('table').waitFor();
    await stored.goto(`${console.demo.service.url}/e/list-hot-collections`);
    await alertOf(stored)
      .getByText(/database cannot be reached/i)
      .first()
      .waitFor();
    expect(await stored.getByRole('main').getByRole('table').count()).to.equal(0);
  });
});

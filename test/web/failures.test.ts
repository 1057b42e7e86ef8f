import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startDemoService } from '../service/demo-service.js';
import { useMysql } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { startWithDefinitions, THREE_ROWS } from './own-definitions.js';
import { useConsole } from './use-console.js';

const alertOf = (page: Page) => page.getByRole('main').getByRole('alert').first();

describe('failures and incomplete results in the console', () => {
  const console = useConsole(() =>
    startWithDefinitions({
      broken: THREE_ROWS.replace('SELECT kind, weight', 'SELECT kind, wait'),
      truncated: `${THREE_ROWS}limits: { rows: 2 }\n`,
      stale: `${THREE_ROWS}data_as_of: SELECT MIN(newest_at) - INTERVAL 9 DAY FROM mv_event_coverage\n`,
      'of-unknown-age': THREE_ROWS,
      noticed: `${THREE_ROWS}notices:\n  - when: always\n    sql: SELECT 'The oven was cold.' AS notice\n`,
      empty: THREE_ROWS.replace('ORDER BY kind', "WHERE kind = 'none'\n  ORDER BY kind"),
      deprecated: `${THREE_ROWS}deprecated: 2026-01-31\nsunset: 2027-01-31\n`,
    }),
  );

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

  for (const [name, text] of [
    ['truncated', /Only the first 2 rows/],
    ['stale', /Stale/],
    ['of-unknown-age', /age of the data is not known/],
    ['noticed', /The oven was cold\./],
    ['deprecated', /Deprecated/],
    ['empty', /No rows/],
  ] as const) {
    console.it(`show a result that is ${name}`, async (open) => {
      const page = await open(`/e/${name}`);
      await page.getByRole('main').getByText(text).first().waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
    });
  }

  console.it('show the last good version of a definition with problems', async (open) => {
    const { own, service } = console.demo as Awaited<ReturnType<typeof startWithDefinitions>>;
    await own.write('noticed.yaml', `name: noticed\n${THREE_ROWS.replace('SELECT kind', 'SELECT knd')}`);
    await service.definitions.reload();
    const page = await open('/e/noticed');
    await page
      .getByRole('main')
      .getByText(/last good version/)
      .first()
      .waitFor();
  });

  console.it('show a page that does not exist, and an unknown endpoint', async (open) => {
    for (const [path, text] of [
      ['/p/no/such/page', /not found|no page/i],
      ['/e/no-such-endpoint', /no such endpoint|no endpoint/i],
    ] as const) {
      const page = await open(path, { expected: / 404 / });
      await page.getByText(text).first().waitFor();
      expect(await page.getByRole('navigation', { name: 'Main' }).count()).to.equal(1);
    }
  });
});

describe('the console without its service', () => {
  const console = useConsole();

  console.it('keeps the page, and loads it after the service answers again', async (open) => {
    const page = await open('/e', { expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });
    await page
      .getByRole('link', { name: /Collections of repositories/ })
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /Collections of repositories/ })
      .first()
      .hover();
    await page.context().setOffline(true);
    await page
      .getByRole('link', { name: /Hot collections/ })
      .first()
      .click();
    const alert = page.getByRole('alert').first();
    await alert.waitFor();
    process.stdout.write(`${await alert.textContent()}\n`);
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).to.equal(1);
    await page.context().setOffline(false);
    await page
      .getByRole('button', { name: /Try again|Reload/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Hot collections' }).waitFor();
  });
});

describe('the console with an exceeded limit', () => {
  const console = useConsole(() => startDemoService({ RATE_LIMIT_PER_HOUR: '1' }, 500));

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
    return startDemoService({ ...server.environment, DATABASE_URL: url.href }, 500);
  });

  console.it('says that the database cannot be reached, and shows stored answers as stale', async (open) => {
    const stored = await open('/e/list-collections', { expected: / 50[34] / });
    await stored.getByRole('main').getByRole('table').waitFor();
    await proxy.close();
    await stored.reload();
    await stored.getByRole('main').getByRole('table').waitFor();
    await stored.goto(`${console.demo.service.url}/e/list-hot-collections`);
    await alertOf(stored)
      .getByText(/database cannot be reached/i)
      .waitFor();
    expect(await stored.getByRole('main').getByRole('table').count()).to.equal(0);
  });
});

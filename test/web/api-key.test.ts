import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createKey } from '../access/tenants.js';
import { listening, startHere } from '../cli/command-line.js';
import type { DemoService } from '../service/demo-service.js';
import { expectAccessible, expectFits } from './accessibility.js';
import { completePage } from './complete-page.js';
import { consoleOf } from './use-console.js';

const endpoint = (name: string, access: string) => `name: ${name}
summary: Breads, ${name}
access: ${access}
columns:
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: weight, data_type: BIGINT, nullable: false, description: Weight in grams }
sql: SELECT kind, weight FROM breads ORDER BY kind
`;

const FILES = {
  'api.yaml': 'title: Bakery\n',
  'data/breads.csv': 'kind,weight\nrye,900\nwheat,1250\n',
  'tables/breads.yaml': 'source: data/breads.csv\n',
  'endpoints/open.yaml': endpoint('open', 'public'),
  'endpoints/closed.yaml': endpoint('closed', '[key, role:staff]'),
  'pages/bakery.yaml': `name: bakery
path: /p/bakery
title: The bakery
summary: Breads
blocks:
  - { endpoint: open, title: For all }
  - { endpoint: closed, title: For staff }
  - { endpoint: closed, title: For staff again }
`,
};

const WRONG = `rik_00000000_${'x'.repeat(43)}`;
const UNKNOWN = 'The API key is unknown, expired or revoked.';
const NEED = 'This endpoint needs an API key or the role staff';
const REJECTED = { expected: /status of 40[13] / };

describe('an API key in the console', () => {
  let folder: string;
  let secret: string;
  let service: ReturnType<typeof startHere>;
  let api: DemoService | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-bakery-'));
    for (const name of ['data', 'tables', 'endpoints', 'pages']) await mkdir(join(folder, name));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
    ({ secret } = await createKey(folder, ['reader', '--scope', 'closed']));
    const environment = { PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_HOUR: '0', RATE_LIMIT_PER_MINUTE: '0' };
    service = startHere(['serve'], { cwd: folder, environment });
    // The pages need only the URL of the service.
    api = { service: { url: await listening(service) } } as unknown as DemoService;
  });
  after(async () => {
    service.stop();
    await service.ended;
    await rm(folder, { recursive: true });
  });
  const console = consoleOf(() => api);

  console.it('is asked for, checked, kept in the tab and removed', async (open) => {
    const page = await open('/e', REJECTED);
    const requests = watchRequests(page);
    await page.getByText('Needs an API key or the role staff').waitFor();
    await page.getByRole('link', { name: 'Breads, closed' }).click();
    await page.getByText(NEED).waitFor();
    const field = page.getByLabel('API key');
    await field.fill('two words');
    await field.press('Enter');
    await page.getByText('An API key has no spaces and only ASCII characters.').waitFor();
    await field.fill(WRONG);
    await field.press('Enter');
    await page.getByText(UNKNOWN).waitFor();
    expect(await descriptionOf(page)).to.equal(
      `⚠ ${UNKNOWN} The key stays in this tab until you remove it or close the tab.`,
    );
    expect(await page.evaluate('document.activeElement.type')).to.equal('password');
    expect(await storageOf(page)).to.deep.equal({ local: [], session: [] });
    await expectAccessible(page);
    await expectFits(page);
    await field.fill(secret);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('cell', { name: 'wheat' }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('they cannot send an API key').waitFor();
    expect(await page.getByRole('link', { name: /JSON|SVG|PNG/ }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByText('X-API-Key: $API_KEY').waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'wheat' }).waitFor();
    await expectFits(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText(NEED).waitFor();
    await other.close();
    expect(await storageOf(page)).to.deep.equal({ local: [], session: [secret] });
    const address = page.url();
    await page.goto(new URL('/embed/e/closed', address).href);
    await page.getByText('A credential is needed').waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Remove key' }).click();
    await page.getByText(NEED).waitFor();
    expect(await page.getByRole('cell').count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Remove key' }).count()).to.equal(0);
    expect(await storageOf(page)).to.deep.equal({ local: [], session: [] });
    expect(requests.filter(({ url }) => url.includes('rik_'))).to.deep.equal([]);
    const paths = requests.filter(({ key }) => key === secret).map(({ url }) => new URL(url).pathname);
    expect([...new Set(paths)]).to.deep.equal(['/q/closed']);
  });

  it('is announced by the definitions and pages that need it, which have no picture for other sites', async () => {
    const get = (path: string) => fetch(`${api?.service.url}${path}`, { headers: { Accept: 'text/html, */*' } });
    const read = async <Body>(path: string) => (await get(path)).json() as Promise<Body>;
    const needs = ['key', 'role:staff'];
    const listed = await read<{ readonly data: readonly Needs[] }>('/console/definitions/');
    expect(listed.data.map(({ access }) => access)).to.deep.equal([needs, null]);
    expect((await read<Needs>('/console/definitions/closed/')).access).to.deep.equal(needs);
    const { blocks } = await read<{ readonly blocks: readonly Needs[] }>('/console/pages/bakery/');
    expect(blocks.map(({ access }) => access)).to.deep.equal([null, needs, needs]);
    const pictures = ['open', 'closed'].map(async (name) =>
      (await (await get(`/e/${name}`)).text()).includes('og:image'),
    );
    expect(await Promise.all(pictures)).to.deep.equal([true, false]);
  });

  console.it('is asked for once on a page with several blocks', async (open) => {
    const page = await open('/p/bakery', REJECTED);
    const need = page.getByText('A part of this page needs an API key or the role staff');
    await need.waitFor();
    await page.getByLabel('API key').fill(secret);
    await page.keyboard.press('Enter');
    await need.waitFor({ state: 'detached' });
    await completePage(page);
    expect(await page.getByRole('alert').count()).to.equal(0);
    expect(await page.getByRole('main').getByRole('img').count()).to.equal(3);
    await page.getByRole('button', { name: 'Share For staff again' }).click();
    await page.getByRole('dialog').getByText('they cannot send an API key').waitFor();
    expect(await page.getByRole('link', { name: /JSON|Chart|Feed/ }).count()).to.equal(0);
  });

  console.it('is replaced by a valid one when the service rejects it, also for public data', async (open) => {
    const page = await open('/e/open', REJECTED);
    await completePage(page);
    await page.evaluate(`sessionStorage.setItem('repo-insight-api-key', '${WRONG}')`);
    await page.reload();
    await page.getByText('The credential is not valid').waitFor();
    await page.getByText(UNKNOWN).waitFor();
    await page.getByLabel('API key').fill(secret);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('cell', { name: 'wheat' }).waitFor();
    expect(await storageOf(page)).to.deep.equal({ local: [], session: [secret] });
  });
});

interface Needs {
  readonly access: readonly string[] | null;
}

interface SentRequest {
  readonly url: string;
  readonly key: string | undefined;
}

/** Collects the requests of a page and their API keys from now on. */
function watchRequests(page: Page): readonly SentRequest[] {
  const sent: SentRequest[] = [];
  page.on('request', (request) => sent.push({ url: request.url(), key: request.headers()['x-api-key'] }));
  return sent;
}

/** Returns the texts that describe the field of the key, as screen readers say them. */
async function descriptionOf(page: Page): Promise<string> {
  const ids = (await page.getByLabel('API key').getAttribute('aria-describedby'))?.split(' ') ?? [];
  return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
}

/** Returns the API keys in the storages of the page. */
async function storageOf(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const keysIn = (storage) => Object.values(storage).join(' ').match(/rik_[\\w-]+/g) ?? [];
    return { local: keysIn(localStorage), session: keysIn(sessionStorage) };
  })()`);
}

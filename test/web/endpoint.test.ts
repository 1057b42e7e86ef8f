import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../services/eventually.js';
import { completePage } from './complete-page.js';
import { useConsoleService } from './console-service.js';
import { EVERY_PARAMETER, NESTED_ROWS, THREE_ROWS } from './own-definitions.js';

describe('the page of an endpoint', () => {
  const console = useConsoleService({
    definitions: { 'every-parameter': EVERY_PARAMETER, 'three-rows': THREE_ROWS, 'nested-rows': NESTED_ROWS },
  });

  console.it('has a field for each kind of parameter, and all values in its URL', async (open) => {
    const page = await open('/e/every-parameter');
    expect(await firstRow(page)).to.deep.equal(['rye', '3', '0.5', 'weight', '0', '2026-01-31', '1']);
    const form = page.getByRole('form');
    await form.getByLabel('Word').fill('spelt');
    await form.getByLabel('Least').fill('10');
    await form.getByLabel('Share').fill('0.25');
    await form.getByLabel('Day').fill('2026-02-28');
    await form.getByLabel('Sort').selectOption('kind');
    await form.getByLabel('Only new').press('Space');
    await form.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/only_new=true/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries([...searchParams].filter(([name]) => !name.startsWith('_')))).to.deep.equal({
      word: 'spelt',
      least: '10',
      share: '0.25',
      day: '2026-02-28',
      sort: 'kind',
      only_new: 'true',
    });
    await completePage(page);
    expect(await firstRow(page)).to.deep.equal(['spelt', '10', '0.25', 'kind', '1', '2026-02-28', '1']);
  });

  console.it('adds and removes values of a list', async (open) => {
    const page = await open('/e/every-parameter?kinds=spelt');
    expect((await firstRow(page)).at(-1)).to.equal('0');
    const field = page.getByRole('combobox', { name: 'Kinds' });
    await field.fill('rye');
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('kinds') === 'spelt,rye');
    await completePage(page);
    expect((await firstRow(page)).at(-1)).to.equal('1');
    await page.getByRole('button', { name: /remove rye/i }).click();
    await page.waitForURL((url) => url.searchParams.get('kinds') === 'spelt');
  });

  console.it('says at the field which value is outside its bounds, and does not request it', async (open) => {
    const page = await open('/e/every-parameter?least=11');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const least = page.getByRole('form').getByLabel('Least');
    await completePage(page);
    expect(await least.getAttribute('aria-invalid')).to.equal('true');
    const ids = (await least.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const descriptions = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
    expect(descriptions.join(' ')).to.include('Must be 10 or less.').and.include('A small number.');
    await least.fill('0');
    await least.press('Enter');
    await page.getByText('Must be 1 or more.').waitFor();
    expect(requests.filter((url) => url.includes('/q/'))).to.deep.equal([]);
    await least.fill('1');
    await least.press('Enter');
    await page.waitForURL(/least=1$/);
    await completePage(page);
    expect((await firstRow(page))[1]).to.equal('1');
  });

  console.it('is marked as busy until its result has arrived', async (open) => {
    const page = await open('/account');
    const held: Route[] = [];
    await page.route('**/q/three-rows', (route) => void held.push(route));
    await page.goto(new URL('/e/three-rows?_view=table', page.url()).href);
    await page.locator('[aria-busy=true]').getByText('The result is being loaded').waitFor();
    await eventually(() => held.length === 1);
    await held[0]?.continue();
    await completePage(page);
    await page.getByText('The first kind is rye, dark, and the last one weighs 1,250 g.').waitFor();
    expect(await tableOf(page)).to.deep.equal([
      ['Kind', 'Weight (g)'],
      ['rye, dark', '900'],
      ['spelt', 'not weighed'],
      ['wheat "white"', '1,250'],
    ]);
  });

  console.it('sorts, hides and copies columns', async (open) => {
    const page = await open('/e/three-rows?_view=table', { permissions: ['clipboard-read', 'clipboard-write'] });
    await completePage(page);
    await page.getByRole('columnheader', { name: 'Weight (g)' }).getByRole('button').click();
    await page.waitForURL(/_sort=/);
    const sorted = async () => (await tableOf(page)).slice(1).map(([kind]) => kind);
    const order = await page.getByRole('columnheader', { name: 'Weight (g)' }).getAttribute('aria-sort');
    expect(order).to.be.oneOf(['ascending', 'descending']);
    const numbers = (await sorted()).filter((kind) => kind !== 'spelt');
    expect(numbers).to.deep.equal(
      order === 'ascending' ? ['rye, dark', 'wheat "white"'] : ['wheat "white"', 'rye, dark'],
    );
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByRole('button', { name: /Copy (the )?table/ }).click();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied.split('\n').sort()).to.deep.equal([
      'kind\tweight',
      'rye, dark\t900',
      'spelt\t',
      'wheat "white"\t1250',
    ]);
    await page.getByRole('checkbox', { name: 'Weight (g)' }).click();
    await page.waitForURL(/_hide=weight/);
    expect((await tableOf(page))[0]).to.deep.equal(['Kind']);
  });

  console.it('shows lists as flat rows, and JSON as text', async (open) => {
    const page = await open('/e/nested-rows?_view=table');
    await completePage(page);
    expect(await tableOf(page)).to.deep.equal([
      ['Loaf', 'Oven', 'Facts'],
      ['–', 'steel', '–'],
      ['rye', 'stone', '{"grams":900}'],
      ['wheat', 'stone', '[1]'],
    ]);
  });

  console.it('shows the same view in another browser that opens its link', async (open) => {
    const repository = console.demo.repository.split('/');
    const page = await open(`/e/stargazers-history?owner=${repository[0]}&repo=${repository[1]}&per=week`);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click();
    await page.waitForURL(/_sort=/);
    await completePage(page);
    const { pathname, search } = new URL(page.url());
    const other = await open(pathname + search);
    await completePage(other);
    await other.getByRole('combobox', { name: /Repository/ }).waitFor();
    expect(await tableOf(other)).to.deep.equal(await tableOf(page));
    expect(await other.getByRole('main').getByRole('form').ariaSnapshot()).to.equal(
      await page.getByRole('main').getByRole('form').ariaSnapshot(),
    );
  });

  console.it(
    'downloads the exact rows as CSV and JSON, and shows and copies a request for each language',
    async (open) => {
      const page = await open('/e/three-rows', { permissions: ['clipboard-read', 'clipboard-write'] });
      const csv = await download(page, 'CSV');
      expect(csv.name).to.equal('three-rows.csv');
      expect(csv.bytes.toString()).to.equal('kind,weight\r\n"rye, dark",900\r\nspelt,\r\n"wheat ""white""",1250\r\n');
      const json = await download(page, 'JSON');
      expect(json.name).to.equal('three-rows.json');
      expect(JSON.parse(json.bytes.toString()).data).to.deep.equal([
        { kind: 'rye, dark', weight: 900 },
        { kind: 'spelt', weight: null },
        { kind: 'wheat "white"', weight: 1250 },
      ]);
      for (const [tab, text] of [
        ['curl', /curl /],
        ['TypeScript', /import .*client/],
        ['Python', /import /],
        ['SQL', /SELECT/],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click();
        const panel = page.getByRole('tabpanel').filter({ hasText: text });
        await panel.waitFor();
        await panel.getByRole('button', { name: /^Copy/ }).first().click();
        expect(await page.evaluate('navigator.clipboard.readText()')).to.match(text);
      }
    },
  );

  console.it('suggests the nearest endpoints for an unknown name', async (open) => {
    const page = await open('/e/three-row', { expected: / 404 / });
    await page
      .getByRole('link', { name: /three-rows|Three kinds of bread/ })
      .first()
      .click();
    await page.waitForURL(/\/e\/three-rows/);
  });
});

async function firstRow(page: Page): Promise<readonly string[]> {
  await completePage(page);
  const table = page.getByRole('tab', { name: 'Table' });
  if ((await table.count()) > 0) await table.click();
  return (await tableOf(page))[1] ?? [];
}

/** Returns the texts of the head and the rows of the result table. */
async function tableOf(page: Page): Promise<readonly (readonly string[])[]> {
  await page.getByRole('table').first().waitFor();
  const rows = await page.evaluate(READ_TABLE);
  return rows as string[][];
}

const READ_TABLE = `[...document.querySelectorAll('main table tr')].map((row) =>
  [...row.querySelectorAll('th, td')].map((cell) => (cell.querySelector('button > span') ?? cell).textContent.trim()))`;

async function download(page: Page, name: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  await completePage(page);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('link', { name, exact: true })
      .or(page.getByRole('button', { name, exact: true }))
      .click(),
  ]);
  const bytes = await buffer(await file.createReadStream());
  await page.keyboard.press('Escape');
  return { name: file.suggestedFilename(), bytes };
}

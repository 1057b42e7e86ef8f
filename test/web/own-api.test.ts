import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, run, startHere } from '../cli/command-line.js';
import type { DemoService } from '../service/demo-service.js';
import { consoleOf } from './use-console.js';

describe('the console of an API in a folder', () => {
  let parent: string;
  let service: ReturnType<typeof startHere>;
  let api: DemoService | undefined;
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'repo-insight-own-'));
    await mkdir(join(parent, 'files'));
    await writeFile(join(parent, 'files', 'countries.csv'), 'code,people\nDE,83\nFR,68\n');
    const { code, err } = await run(['init', 'my-shop', '--files', 'files/countries.csv'], { cwd: parent });
    expect(code, err).to.equal(0);
    service = startHere(['serve'], {
      cwd: join(parent, 'my-shop'),
      environment: { PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_HOUR: '0' },
    });
    // The pages need only the URL of the service.
    api = { service: { url: await listening(service) } } as unknown as DemoService;
  });
  after(async () => {
    service.stop();
    await service.ended;
    await rm(parent, { recursive: true });
  });
  const console = consoleOf(() => api);

  console.it('shows the endpoints at its start, and only its own pages', async (open) => {
    const page = await open('/');
    await page.getByRole('heading', { level: 1, name: 'My shop' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Endpoints' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await links.allTextContents()).to.deep.equal(['Endpoints', 'API']);
    expect(await page.title()).to.equal('Start · My shop');
    expect(await page.locator('body').textContent()).not.to.match(/github|collection|sign in|playground/i);
    await page.getByRole('link', { name: 'Countries' }).click();
    await page.getByRole('heading', { level: 1, name: 'Countries' }).waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('cell', { name: 'FR' }).waitFor();
    expect(await page.title()).to.equal('Countries · My shop');
  });

  console.it('searches its endpoints and pages', async (open) => {
    const page = await open('/e');
    await page.getByRole('button', { name: /Search/ }).click();
    await page.getByRole('combobox').fill('countr');
    await page.getByRole('option', { name: /Countries/ }).waitFor();
    await page.getByRole('combobox').fill('playground');
    await page.getByText('No result for “playground”.').waitFor();
  });
});

import { expect } from 'chai';
import { versionOf } from '../live/own-folder.js';
import { completePage } from './complete-page.js';
import { useConsoleService } from './console-service.js';

const PAGE = `name: my-dashboard
path: /p/my-dashboard
title: My dashboard
summary: Two results next to each other.
blocks:
  - title: The version
    endpoint: added-later
    width: half
  - title: The collections
    endpoint: list-collections
    width: half
    rows: 3
    text: Only **three** of them.
`;

describe('new files in the console', () => {
  const console = useConsoleService();
  const reload = async () =>
    expect(await console.demo.reload('added-later.yaml', 'my-dashboard.yaml')).to.deep.equal([]);

  console.it('appear after a reload without any other change', async (open) => {
    const missing = await open('/e/added-later', { expected: / 404 / });
    await completePage(missing);
    expect((await missing.title()).toLowerCase()).to.not.include('version 7');

    const { definitions, pages } = console.demo;
    await definitions.write('added-later.yaml', versionOf('added-later', 7));
    await pages.write('my-dashboard.yaml', PAGE);
    await reload();

    const list = await open('/e');
    await list.getByRole('link', { name: /Version 7/ }).click();
    await list.waitForURL(/\/e\/added-later/);
    await list.getByRole('heading', { level: 1, name: 'Version 7' }).waitFor();
    expect(await list.title()).to.match(/^Version 7/);

    const page = await open('/p/my-dashboard');
    await page.getByRole('heading', { level: 1, name: 'My dashboard' }).waitFor();
    await page.getByRole('heading', { name: 'The collections' }).waitFor();
    await completePage(page);
    expect(await page.getByRole('main').getByText('three', { exact: true }).textContent()).to.equal('three');
    expect(await page.title()).to.match(/^My dashboard/);
  });

  console.it('that are changed or removed have the same effect', async (open) => {
    const { definitions, pages } = console.demo;
    await definitions.write('added-later.yaml', versionOf('added-later', 7));
    await pages.write('my-dashboard.yaml', PAGE.replace('My dashboard', 'Renamed dashboard'));
    await reload();
    const page = await open('/p/my-dashboard');
    await page.getByRole('heading', { level: 1, name: 'Renamed dashboard' }).waitFor();
    await pages.remove('my-dashboard.yaml');
    await reload();
    const gone = await open('/p/my-dashboard', { expected: / 404 / });
    await completePage(gone);
    expect(await gone.getByText('Renamed dashboard').count()).to.equal(0);
    expect((await fetch(`${console.demo.service.url}/p/my-dashboard`, HTML)).status).to.equal(404);
  });
});

const HTML = { headers: { Accept: 'text/html' } };

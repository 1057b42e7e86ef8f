import { expect } from 'chai';
import { expectAccessible, expectFits } from './accessibility.js';
import { completePage } from './complete-page.js';
import { useConsoleService } from './console-service.js';
import { PHONE } from './sessions.js';

const PAGE = `path: /p/look/{word}
title: A look at {word}
summary: Every state of a block.
params:
  word: { in: path, type: string, description: A word. }
  count: { in: query, type: integer, minimum: 1, maximum: 3, default: 2, description: A number. }
blocks:
  - text: About **{word}**, {count} times, see [the list](e/list-collections?about={word}).
  - title: Collections of {word}
    endpoint: list-collections
    rows: 3
    width: half
  - title: Unknown repository
    endpoint: stargazers-history
    params: { owner: '{word}', repo: nothing }
    width: half
  - title: Ranking
    endpoint: collection-repo-ranking-by-stars
    params: { collection_id: 2 }
    rows: 5
`;

/** A page whose title comes from a row, and whose blocks have a notice in common. */
const TITLED_PAGE = `path: /p/titled/{collection_id}
title: Number {collection_id}
title_from: collection_name
summary: A title from the first row.
params:
  collection_id: { in: path, type: integer, description: A number. }
blocks:
  - { endpoint: collection-overview, params: { collection_id: '{collection_id}' }, chart: { chartName: Table, columns: [stars] } }
  - { title: One, endpoint: with-notice }
  - { title: Two, endpoint: with-notice, rows: 1 }
`;

const WITH_NOTICE = `summary: A row with a notice
columns:
  - { col: n, data_type: BIGINT, nullable: false, description: A number }
notices: [{ when: always, sql: "SELECT 'Some events are missing.' AS notice" }]
sql: SELECT 1 AS n
`;

const EMPTY_PAGE = `path: /p/absent/{owner}
title: '{owner}'
summary: Blocks that all have the same notice.
params:
  owner: { in: path, type: string, description: A word. }
  constructor: { in: query, type: string, description: A parameter whose name every object has. }
blocks:
  - text: Value <{constructor}>.
  - { title: Stars, endpoint: stargazers-history, params: { owner: '{owner}', repo: nothing } }
  - { title: Issues, endpoint: issue-creators-history, params: { owner: '{owner}', repo: nothing } }
`;

describe('a page of a file', () => {
  const console = useConsoleService({
    definitions: { 'with-notice': WITH_NOTICE },
    pages: { look: PAGE, absent: EMPTY_PAGE, titled: TITLED_PAGE },
  });

  const card = (title: string) => new RegExp(`^${title}`);

  console.it('takes its title from the first result, and shows a notice of several blocks once', async (open) => {
    const page = await open('/p/titled/2');
    await page.getByRole('heading', { level: 1, name: 'Time Series Database' }).waitFor();
    await completePage(page);
    expect(await page.title()).to.equal('Time Series Database · repo-insight');
    await page.getByText('1 notice', { exact: true }).click();
    const notice = page.getByText('Some events are missing.', { exact: true });
    await notice.waitFor();
    expect(await notice.count()).to.equal(1);
    await expectFits(page);
    await expectAccessible(page);
  });

  console.it('copies an image, a badge and a frame of a block, and links to its feed', async (open) => {
    const page = await open('/p/titled/2', { permissions: ['clipboard-read', 'clipboard-write'] });
    await completePage(page);
    const copied = async (name: string) => {
      await page.getByRole('dialog').getByRole('button', { name }).click();
      return (await page.evaluate('navigator.clipboard.readText()')) as string;
    };
    const root = new URL('/', page.url()).href;
    await page.getByRole('button', { name: 'Share One' }).click();
    expect(await copied('Copy badge (Markdown)')).to.equal(
      `[![One](${root}badge/with-notice.svg)](${root}e/with-notice)`,
    );
    expect(await copied('Copy frame (HTML)')).to.include(`src="${root}embed/e/with-notice?_chart=NumberCard"`);
    expect(await copied('Copy image for a README')).to.include('prefers-color-scheme: dark');
    expect(await page.getByRole('link', { name: /Feed/ }).count()).to.equal(0);
    await expectAccessible(page);
  });

  console.it('shows its blocks with their texts, rows and notes', async (open) => {
    const page = await open('/p/look/bread');
    await page.getByRole('heading', { level: 1, name: 'A look at bread' }).waitFor();
    expect(await page.title()).to.equal('A look at bread · repo-insight');
    const text = page.getByText('About bread, 2 times, see the list.');
    await text.waitFor();
    expect(await text.getByRole('link').getAttribute('href')).to.equal('e/list-collections?about=bread');
    await page.getByRole('heading', { name: card('Collections of bread') }).waitFor();
    await page.getByText('The result has no rows').waitFor();
    await page.getByText('The repository bread/nothing is not in this data set.').waitFor();
    await page.getByRole('link', { name: 'Show all rows' }).first().waitFor();
    await completePage(page);
    await expectFits(page);
    await expectAccessible(page);
  });

  console.it('shows a notice of all of its blocks once', async (open) => {
    const page = await open('/p/absent/bread');
    const notice = page.getByText('The repository bread/nothing is not in this data set.');
    await page.getByRole('status').filter({ has: notice }).waitFor();
    await page.getByText('Value <>.').waitFor();
    expect([await notice.count(), await page.getByText('The result has no rows').count()]).to.deep.equal([1, 2]);
  });

  console.it('fits a phone', async (open) => {
    const page = await open('/p/look/bread', PHONE);
    await page.getByText('The result has no rows').waitFor();
    await completePage(page);
    await expectFits(page);
    await expectAccessible(page);
  });

  console.it('shows every value of its path as text', async (open) => {
    const hostile = '**b**<img src=x onerror=alert(1)>[x](javascript:alert(1))';
    const page = await open(`/p/look/${encodeURIComponent(hostile)}`, { expected: / 400 / });
    await page.getByRole('heading', { level: 1, name: `A look at ${hostile}` }).waitFor();
    const text = page.getByText(`About ${hostile}, 2 times`);
    await text.waitFor();
    expect(await page.locator('main img').count()).to.equal(0);
    expect(await text.getByRole('link').count()).to.equal(1);
    expect(await text.getByRole('link').getAttribute('href')).to.equal(
      `e/list-collections?about=${encodeURIComponent(hostile)}`,
    );
    await page.getByRole('alert').getByText('owner must be text of 1 to 39 characters').waitFor();
  });

  console.it('keeps the form and the chart of a block in its URL, with the keyboard only', async (open) => {
    const page = await open('/p/look/bread');
    await page.getByRole('spinbutton').fill('3');
    await page.keyboard.press('Enter');
    await page.getByText('About bread, 3 times').waitFor();
    const options = page.getByRole('button', { name: 'Options of Ranking' });
    await options.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('radio', { checked: true }).focus();
    await page.getByRole('dialog').getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('table', { name: 'Ranking' }).waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, Object.fromEntries(searchParams)]).to.deep.equal([
      '/p/look/bread',
      { count: '3', _chart4: 'Table' },
    ]);
    await page.reload();
    await page.getByRole('table', { name: 'Ranking' }).waitFor();
    await page.getByText('About bread, 3 times').waitFor();
  });

  console.it('reports values outside their bounds and unknown parameters, and loads nothing', async (open) => {
    const page = await open('/p/look/bread?count=9&colour=red');
    await page.getByText('This page has no parameter “colour”.').waitFor();
    await page.getByText('A value in the form is outside its bounds, so that nothing was loaded.').waitFor();
    expect(await page.getByText('About bread').count()).to.equal(0);
  });

  console.it('says that an unknown page does not exist', async (open) => {
    const page = await open('/p/look/bread/crumbs', { expected: / 404 / });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  });
});

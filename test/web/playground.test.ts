import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { waitForPlayground } from '../service/demo-service.js';
import { expectAccessible, expectFits } from './accessibility.js';
import { useConsoleService } from './console-service.js';
import { PHONE } from './sessions.js';

describe('the playground in the console', () => {
  const console = useConsoleService();
  before(() => waitForPlayground(console.demo));

  console.it('completes names, runs SQL from the keyboard, and remembers it', async (open) => {
    const page = await open('/playground');
    await replaceSql(page, 'SELECT repo_name, stars FROM github_repos r WHERE r.');
    await page.keyboard.type('star');
    await page.locator('.cm-completionLabel', { hasText: /^stars$/ }).click();
    await page.keyboard.type(' >= 0 LIMIT 3');
    await page.keyboard.press('Control+Enter');
    await page.getByText('3 rows in').waitFor();
    const sql = 'SELECT repo_name, stars FROM github_repos r WHERE r.stars >= 0 LIMIT 3';
    expect(new URL(page.url()).searchParams.get('_sql')).to.equal(sql);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Run');
    await page.reload();
    await page.getByText('3 rows in').waitFor();
    await page.getByText('History (1)').click();
    await page.getByRole('button', { name: `Remove from the history: ${sql.slice(0, 60)}` }).click();
    await page.getByText('History (0)').waitFor();
  });

  console.it('shows mistakes at their place, as text', async (open) => {
    const page = await open('/playground', { expected: / 422 / });
    await replaceSql(page, "SELECT '<img src=x onerror=alert(1)>' AS a,\nnothing_like_it FROM github_repos");
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('there is no column nothing_like_it here').waitFor();
    expect(await page.locator('.cm-lintRange-error').textContent()).to.equal('nothing_like_it');
    await page.getByRole('button', { name: 'line 2, column 1' }).click();
    expect(await page.locator('.cm-activeLine').textContent()).to.equal('nothing_like_it FROM github_repos');
    await expectAccessible(page);
    await replaceSql(page, "SELECT '<img src=x onerror=alert(1)>' AS a");
    await page.keyboard.press('Control+Enter');
    await page.getByRole('table').getByText('<img src=x onerror=alert(1)>').waitFor();
  });

  console.it('replaces a coloured text at once, without inline styles', async (open) => {
    const page = await open('/playground');
    const editor = page.getByRole('main').getByRole('textbox').first();
    // The editor may process a selection after the browser, so the color can appear after the text.
    for (let count = 0; count < 12; count += 1) {
      await editor.fill(`SELECT \`${count}\` FROM github_repos`);
      if (count % 3 === 0) await page.locator('.tok-string2').first().waitFor();
    }
    expect(await page.locator('.cm-line').allTextContents()).to.deep.equal(['SELECT `11` FROM github_repos']);
  });

  console.it('shows a shared query on a phone, and that its rows are truncated', async (open) => {
    const sql = encodeURIComponent('SELECT id, type FROM github_events');
    const page = await open(`/playground?_sql=${sql}`, PHONE);
    await page.getByText('Truncated').waitFor();
    await expectFits(page);
    await expectAccessible(page);
  });

  console.it(
    'inserts names of tables and columns, shows the plan, and writes the file of an endpoint',
    async (open) => {
      const page = await open('/playground');
      await replaceSql(page, 'SELECT ');
      const tables = page.getByRole('complementary', { name: 'Tables' });
      await tables.getByLabel('Search tables and columns').fill('is_archived');
      await tables.getByRole('button', { name: /^Insert is_archived / }).click();
      await page.keyboard.type(' FROM github_repos LIMIT 1');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Show the plan' }).click();
      await page.getByText('The database estimates').waitFor();
      expect(await page.locator('.cm-content').textContent()).to.equal('SELECT is_archived FROM github_repos LIMIT 1');
      await replaceSql(page, "SELECT repo_name FROM github_repos WHERE primary_language = 'Go' ORDER BY repo_name");
      await page.getByText('Create an endpoint from this query').click();
      await page.getByLabel('Name (optional)').fill('names-by-language');
      await page.getByRole('button', { name: 'Write the file' }).click();
      const downloads = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const download = await downloads;
      expect(download.suggestedFilename()).to.equal('names-by-language.yaml');
      const text = await readText(await download.createReadStream());
      expect(text)
        .to.match(/^name: names-by-language\n/)
        .and.include('WHERE primary_language = {{ primary_language }}');
      expect(await page.getByRole('region', { name: 'names-by-language.yaml' }).textContent()).to.equal(text);
      await expectAccessible(page);
    },
  );
});

async function replaceSql(page: Page, sql: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SQL', exact: true });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(sql);
}

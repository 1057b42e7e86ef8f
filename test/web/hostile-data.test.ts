import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { waitForPlayground } from '../service/demo-service.js';
import { completePage } from './complete-page.js';
import { useConsoleService } from './console-service.js';

const IMAGE = '<img src=x onerror=alert(1)>';
const SCRIPT = '</script></title><script>alert(2)</script>';
const LINK = 'javascript:alert(3)';
const BIDI = 'a\u202Eb\u2066c';
const LONG = 'x'.repeat(3_000);
const HOSTILE = [IMAGE, SCRIPT, `[click](${LINK})`, LINK, 'data:text/html,<script>alert(4)</script>', BIDI, LONG];

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const yaml = (text: string) => JSON.stringify(text);

/** A definition whose texts and rows are hostile. The console creates links from its column `repo_name`. */
const DEFINITION = `summary: ${yaml(`Summary ${IMAGE} ${SCRIPT}`)}
description: ${yaml(`${IMAGE} [click](${LINK}) [data](data:text/html,x) <a href="${LINK}">a</a> ![i](http://example.org/x.png)`)}
tags: [${yaml(`Tag ${IMAGE}`)}]
questions: [${yaml(`which ${IMAGE} are hostile`)}]
params:
  word: { in: query, type: string, default: ${yaml(IMAGE)}, description: ${yaml(`${IMAGE} [click](${LINK})`)} }
columns:
  - { col: repo_name, data_type: VARCHAR, nullable: false, description: ${yaml(IMAGE)} }
  - { col: stars, data_type: BIGINT, nullable: false, description: Stars }
sql: |
  SELECT repo_name, stars
  FROM (
${HOSTILE.map((text, index) => `    SELECT ${quote(text)} AS repo_name, ${index + 10} AS stars`).join(' UNION ALL\n')}
  ) rows_of_it
  WHERE {{ word }} <> ''
  ORDER BY stars
notices:
  - when: always
    sql: SELECT ${quote(`Notice ${IMAGE} [click](${LINK})`)} AS notice
examples:
  - { name: ${yaml(`Example ${IMAGE}`)}, params: {} }
`;

describe('hostile texts in the console', () => {
  const console = useConsoleService({ definitions: { 'hostile-texts': DEFINITION } });
  before(() => waitForPlayground(console.demo));

  console.it(
    'are text on the page of an endpoint: in its head, form, notices, table and documentation',
    async (open) => {
      const page = await open('/e/hostile-texts?_view=table');
      await page.getByRole('table').first().waitFor();
      await completePage(page);
      const text = (await page.getByRole('main').textContent()) ?? '';
      for (const hostile of [IMAGE, SCRIPT, LINK, BIDI, LONG, `Notice ${IMAGE}`]) expect(text).to.include(hostile);
      expect(await page.title()).to.include(IMAGE);
      await expectHarmless(page);
    },
  );

  console.it('are text in a chart and its tooltip', async (open) => {
    const page = await open('/e/hostile-texts?_chart=BarChart');
    await completePage(page);
    const box = await page.getByRole('main').getByRole('img').first().boundingBox();
    for (const part of [0.1, 0.3, 0.5, 0.7]) {
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.5, (box?.y ?? 0) + (box?.height ?? 0) * part);
    }
    await expectHarmless(page);
  });

  console.it('are text in the list of endpoints and in the search', async (open) => {
    const page = await open('/e');
    await page.getByRole('main').getByText(IMAGE).first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByRole('combobox').fill('hostile');
    await page.getByRole('option').first().waitFor();
    await expectHarmless(page);
    await page.getByRole('dialog').getByRole('combobox').fill(IMAGE);
    await page.getByRole('dialog').getByText(IMAGE).first().waitFor();
    await expectHarmless(page);
  });

  console.it('are text in the messages of the playground', async (open) => {
    const page = await open('/playground', { expected: / 4(00|22) / });
    const editor = page.getByRole('main').getByRole('textbox').first();
    await editor.fill(`SELECT \`${IMAGE}\` FROM github_repos`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText(IMAGE).first().waitFor();
    await expectHarmless(page);
    await editor.fill(`SELECT ${quote(IMAGE)} AS one, ${quote(LINK)} AS repo_name`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('cell', { name: LINK }).waitFor();
    await expectHarmless(page);
  });

  console.it('are text in addresses: names of pages, parameters and views', async (open) => {
    const name = encodeURIComponent(IMAGE);
    const page = await open('/e', { expected: / 40[04] / });
    for (const path of [
      `/e/${name}`,
      `/p/${name}`,
      `/p/repositories/${name}/${name}`,
      `/p/people/${name}`,
      `/e/hostile-texts?word=${encodeURIComponent(SCRIPT)}&_chart=${name}&_sort=${name}&_hide=${name}&_theme=${name}`,
      `/ask/${name}`,
      `/ask?_question=${name}`,
    ]) {
      await page.goto(console.demo.service.url + path);
      await completePage(page);
      await expectHarmless(page);
    }
  });

  it('are text in the HTML of the server', async () => {
    for (const path of ['/e/hostile-texts', '/embed/e/hostile-texts', `/e/${encodeURIComponent(SCRIPT)}`]) {
      const html = await (await fetch(console.demo.service.url + path, { headers: { Accept: 'text/html' } })).text();
      expect(html).to.not.match(/<img|<script>|alert\(2\)<\/script>/);
    }
  });

  it('are text in images, which have no link and no script', async () => {
    const response = await fetch(`${console.demo.service.url}/e/hostile-texts.svg`);
    const svg = await response.text();
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml']);
    expect(svg).to.match(/&lt;img src=x/);
    const tags = (svg.match(/<[^>]*>/g) ?? [])
      .join('')
      .replaceAll(/"[^"]*"/g, (value) => (/^"#/.test(value) ? '"#"' : '""'));
    expect(tags).to.not.match(/<img|<script|<a[ >]|<foreignObject|\son\w+=|href=""|<!ENTITY|<\?xml-stylesheet/i);
    expect(response.headers.get('content-security-policy')).to.match(/default-src 'none'.*sandbox/);
  });
});

/**
 * Expects that no hostile text had an effect. Tests also fail if a script ran or a request was blocked, because the browser reports this.
 */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(`({
    elements: document.querySelectorAll('img[src="x"], [onerror], iframe, body script:not([src]), object, embed').length,
    links: [...document.querySelectorAll('a[href], form[action], button[formaction]')]
      .map((element) => element.getAttribute('href') ?? element.getAttribute('action') ?? element.getAttribute('formaction'))
      .filter((href) => /^\\s*(javascript|data|vbscript):/i.test(href)),
    images: [...document.querySelectorAll('img')].map(({ src }) => src).filter((src) => !src.startsWith(document.baseURI)),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  })`);
  expect(found).to.deep.equal({ elements: 0, links: [], images: [], overflow: 0 });
}

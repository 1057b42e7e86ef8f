import { expect } from 'chai';
import { DEFINITIONS, inFolder, PAGE } from '../console/page-folder.js';
import { run } from './command-line.js';

/** Runs `endpoint check` in a folder with definitions and pages. */
function check(
  pages: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  own: Readonly<Record<string, string>> = {},
): Promise<readonly [number | null, string, string]> {
  const definitions = Object.entries(DEFINITIONS).filter(([name]) => name !== 'broken.yaml');
  const files = { ...pages, ...Object.fromEntries(definitions.map(([name, text]) => [`endpoints/${name}`, text])) };
  return inFolder(files, async (folder) => {
    const settings = {
      ENDPOINTS_DIR: `${folder}/endpoints`,
      PAGES_DIR: `${folder}/pages`,
      DATABASE_URL: 'duckdb:none.duckdb',
    };
    const outcome = await run(['endpoint', 'check', ...words], { environment: { ...settings, ...own }, cwd: folder });
    return [outcome.code, outcome.out.replaceAll(`${folder}/`, ''), outcome.err.replaceAll(`${folder}/`, '')];
  });
}

const WRONG = PAGE.replace('name: oven', 'name: wrong').replace('/p/ovens/', '/p/wrong/').replace('rows: 5', 'rows: 0');
const PROBLEM = 'wrong.yaml:16:11 blocks.2.rows: invalid value (expected 1 or more, got 0)\n';

describe('endpoint check', () => {
  it('checks all pages with the definitions', async () => {
    expect(await check({ 'pages/oven.yaml': PAGE })).to.deep.equal([0, '', '2 valid, 1 valid page, 0 problems\n']);
    const both = { 'pages/oven.yaml': PAGE, 'pages/wrong.yaml': WRONG };
    expect(await check(both)).to.deep.equal([1, `pages/${PROBLEM}`, '2 valid, 1 valid page, 1 problem\n']);
    const [code, json] = await check(both, ['--json']);
    expect([code, JSON.parse(json)]).to.deep.equal([
      1,
      {
        endpoints: ['bakers', 'sales'],
        pages: ['oven'],
        problems: [
          {
            file: 'pages/wrong.yaml',
            line: 16,
            column: 11,
            key: 'blocks.2.rows',
            message: 'invalid value',
            expected: '1 or more',
            got: '0',
          },
        ],
        warnings: [],
        notes: [],
      },
    ]);
  });

  it('checks single page files, also outside of the folders', async () => {
    const pages = { 'pages/oven.yaml': PAGE, 'pages/wrong.yaml': WRONG, 'drafts/wrong.yaml': WRONG };
    expect(await check(pages, ['pages/oven.yaml'])).to.deep.equal([0, '', '0 valid, 1 valid page, 0 problems\n']);
    expect(await check(pages, ['drafts/wrong.yaml'])).to.deep.equal([1, `drafts/${PROBLEM}`, '0 valid, 1 problem\n']);
    expect(await check(pages, ['sales', 'pages/oven.yaml'])).to.deep.equal([
      0,
      '',
      '1 valid, 1 valid page, 0 problems\n',
    ]);
  });

  it('checks no pages of the package without its definitions', async () => {
    expect(await check({}, [], { PAGES_DIR: '' })).to.deep.equal([0, '', '2 valid, 0 problems\n']);
  });

  it('reports a folder that cannot be read', async () => {
    const [code, out] = await check({});
    expect([code, out.split(':')[0], out.includes('the directory cannot be read')]).to.deep.equal([1, 'pages', true]);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProcess } from './command-line.js';
import { packagesOf, readScripts } from './loaded-scripts.js';

/** The packages that every command may load: for arguments, suggestions, progress bars and tables. */
const LIGHT_PACKAGES = [
  'ansi-regex',
  'cli-progress',
  'cli-table3',
  'commander',
  'emoji-regex',
  'fastest-levenshtein',
  'is-fullwidth-code-point',
  'string-width',
  'strip-ansi',
];

describe('the imports of the command line', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-imports-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Returns the scripts that a command loads, from Node's coverage report. */
  const scriptsOf = async (words: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
    const coverage = join(folder, 'coverage');
    const { code, err } = await runProcess(words, { environment: { ...settings, NODE_V8_COVERAGE: coverage } });
    expect(code, err).to.equal(0);
    return readScripts(coverage);
  };
  const ownModulesOf = (urls: readonly string[]) =>
    urls.flatMap((url) => (url.includes('/node_modules/') ? [] : (/\/dist\/(.*)/.exec(url)?.[1] ?? [])));

  for (const words of [['--version'], ['data', 'import', '--help'], ['endpoint', 'test', '--help']]) {
    it(`are few for ${words.join(' ')}`, async () => {
      const urls = await scriptsOf(words);
      expect(LIGHT_PACKAGES).to.include.members(packagesOf(urls));
      const others = ownModulesOf(urls).filter((path) => !/^(cli|server\/settings)\//.test(path));
      expect(others, others.join(', ')).to.have.length.within(1, 7);
    });
  }

  it('contain no driver and no server for endpoint check', async () => {
    await writeFile(
      join(folder, 'one.yaml'),
      'name: one\nsummary: One\ncolumns:\n  - { col: one, data_type: BIGINT, nullable: false, description: One }\nsql: SELECT 1 AS one\n',
    );
    const packages = packagesOf(await scriptsOf(['endpoint', 'check'], { ENDPOINTS_DIR: folder }));
    expect(packages).to.include.members(['ajv', 'commander']);
    expect(packages.filter((name) => /duckdb|express|ioredis|mysql2|octokit|pino|swagger/.test(name))).to.deep.equal(
      [],
    );
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keepLastFiles } from '../../scripts/keep-last-files.js';

describe('the files of the last build of the console', () => {
  const root = mkdtempSync(join(tmpdir(), 'keep-last-'));
  after(() => rmSync(root, { recursive: true }));

  /** Writes the files of a build that started at `second`. */
  const write = (build: string, second: number, ...names: string[]) => {
    mkdirSync(join(root, build, 'assets'), { recursive: true });
    for (const name of ['index.html', ...names.map((file) => `assets/${file}`)]) {
      writeFileSync(join(root, build, name), build);
      utimesSync(join(root, build, name), second, second);
    }
  };
  const assetsOf = (build: string) => readdirSync(join(root, build, 'assets')).sort();

  it('stay for one build, and never replace files of the new one', () => {
    write('first', 100, 'a-1.js', 'icon.svg');
    write('second', 200, 'a-2.js', 'icon.svg');
    write('third', 300, 'a-3.js', 'icon.svg');
    keepLastFiles(join(root, 'absent'), join(root, 'first'));
    expect(assetsOf('first')).to.deep.equal(['a-1.js', 'icon.svg']);
    keepLastFiles(join(root, 'first'), join(root, 'second'));
    expect(assetsOf('second')).to.deep.equal(['a-1.js', 'a-2.js', 'icon.svg']);
    keepLastFiles(join(root, 'second'), join(root, 'third'));
    expect(assetsOf('third')).to.deep.equal(['a-2.js', 'a-3.js', 'icon.svg']);
    expect(readFileSync(join(root, 'third', 'assets', 'icon.svg'), 'utf8')).to.equal('third');
  });
});

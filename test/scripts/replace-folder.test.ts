import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { replaceFolder } from '../../scripts/replace-folder.js';

describe('a folder that is built next to the last one', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'replace-folder-'));
  });

  afterEach(() => {
    rmSync(parent, { recursive: true });
  });

  function write(folder: string, text: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), text);
  }

  it('replaces the last one when it is complete, or is the first one', () => {
    const folder = join(parent, 'web');
    const next = join(parent, 'own', 'files');
    const seen: string[] = [];
    for (const text of ['first', 'second']) {
      write(next, text);
      writeFileSync(join(next, `${text}.js`), '');
      replaceFolder(folder, next);
      seen.push(readFileSync(join(folder, 'index.html'), 'utf8'), ...readdirSync(folder));
    }
    expect(seen).to.deep.equal(['first', 'first.js', 'index.html', 'second', 'index.html', 'second.js']);
    expect(readdirSync(parent, { recursive: true }).sort()).to.deep.equal([
      'own',
      'own/files.old',
      'own/files.old/first.js',
      'own/files.old/index.html',
      'web',
      'web/index.html',
      'web/second.js',
    ]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder, replaceFolder } from '../../scripts/replace-folder.js';

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

  it('replaces the last one when it is complete', () => {
    const folder = join(parent, 'web');
    write(folder, 'old');
    writeFileSync(join(folder, 'removed.js'), '');
    const next = newFolder(folder);
    write(next, 'new');
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).to.equal('old');
    replaceFolder(folder, next);
    expect([readdirSync(parent), readdirSync(folder)]).to.deep.equal([['web'], ['index.html']]);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).to.equal('new');
  });

  it('is the first one if there is no other', () => {
    const folder = join(parent, 'web');
    const next = newFolder(folder);
    write(next, 'first');
    replaceFolder(folder, next);
    expect(readdirSync(parent)).to.deep.equal(['web']);
  });

  it('does not touch folders of builds that run, and removes those of builds that ended', () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const names = ['web', `web.new-${process.ppid}`, 'web.css', `website.new-${ended}`];
    for (const name of [...names, `web.new-${ended}`, `web.old-${ended}`]) write(join(parent, name), name);
    expect(newFolder(join(parent, 'web'))).to.equal(join(parent, `web.new-${process.pid}`));
    expect(readdirSync(parent).sort()).to.deep.equal(names.sort());
  });
});

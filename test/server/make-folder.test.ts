import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../server/settings/make-folder.js';

describe('a folder of DATA_DIR', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-folder-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('is created once with its parents, also by concurrent calls', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(join(folder, 'a', 'd'))]);
    await makeFolder(deep);
    expect((await stat(deep)).isDirectory()).to.equal(true);
  });

  it('that cannot be created causes an error with the reason, without endless attempts', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await symlink('/no/such/place', join(folder, 'broken'));
    await symlink('circle', join(folder, 'circle'));
    const places: Readonly<Record<string, string>> = {
      '/proc/repo-insight/data': 'the system does not allow folders there',
      [file]: 'a file with this name exists',
      [join(file, 'data')]: 'one of its parents is a file',
      [join(folder, 'broken')]: 'a file with this name exists',
      [join(folder, 'circle', 'data')]: 'its symbolic links form a loop',
      [join(folder, 'n'.repeat(300))]: 'its name is too long',
    };
    for (const [place, reason] of Object.entries(places)) {
      const error = await makeFolder(place).catch((thrown: unknown) => thrown);
      const parent = place.startsWith('/proc/') ? '/proc/repo-insight/data' : place;
      expect(String(error)).to.equal(`Error: The folder ${parent} of DATA_DIR cannot be used: ${reason}.`);
    }
  });
});

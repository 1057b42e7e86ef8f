import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeFiles } from '../../engine/authoring/index.js';

describe('the files of an import', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-files-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (names: readonly string[], replacing: boolean) =>
    writeFiles(
      names.map((name) => ({ file: join(folder, name), text: `new ${name}` })),
      replacing,
    ).then(
      () => 'written',
      (error: NodeJS.ErrnoException) => error.code,
    );

  async function contents(): Promise<Record<string, string>> {
    const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    return Object.fromEntries(
      await Promise.all(names.map(async ({ name }) => [name, await readFile(join(folder, name), 'utf8')])),
    );
  }

  it('are written together, in new folders if necessary', async () => {
    expect(await write(['a', 'b'], false)).to.equal('written');
    expect(await write(['new/c'], false)).to.equal('written');
    expect(await contents()).to.deep.equal({ a: 'new a', b: 'new b' });
    expect(await readFile(join(folder, 'new/c'), 'utf8')).to.equal('new new/c');
  });

  it('are not written if one of them exists', async () => {
    await writeFile(join(folder, 'b'), 'old b');
    expect(await write(['a', 'b', 'c'], false)).to.equal('EEXIST');
    expect(await contents()).to.deep.equal({ b: 'old b' });
  });

  it('are restored if one of them cannot be replaced', async () => {
    await writeFile(join(folder, 'a'), 'old a');
    expect(await write(['new/folder/x'], false)).to.equal('written');
    expect(await write(['a', 'b', 'new'], true)).to.be.oneOf(['EISDIR', 'ENOTEMPTY']);
    expect(await contents()).to.deep.equal({ a: 'old a' });
  });
});

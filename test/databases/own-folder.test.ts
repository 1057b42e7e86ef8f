import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createOwnFolder } from '../../engine/databases/own-folder.js';
import { temporaryFolder } from './duckdb/open-test-database.js';

const CHILD = fileURLToPath(new URL('./own-folder-child.js', import.meta.url));

describe('a folder of one process', () => {
  let parent: string;
  let children: ChildProcess[] = [];
  beforeEach(() => {
    parent = temporaryFolder();
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children = [];
  });

  const startOwner = async () => {
    const child = spawn(process.execPath, [CHILD, parent, 'follow'], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const [path] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    writeFileSync(join(path, 'file'), '');
    return { child, path };
  };
  const nameOf = (path: string) => relative(parent, path).split('/')[0] ?? '';

  it('is kept while its process runs, although another one has the same process id, and removed after it was killed', async () => {
    const first = await startOwner();
    const second = await startOwner();
    const own = await Promise.all([createOwnFolder(parent, 'follow'), createOwnFolder(parent, 'follow')]);
    const ownNames = own.map(({ path }) => nameOf(path));
    expect(readdirSync(parent)).to.have.members([nameOf(first.path), nameOf(second.path), ...ownNames]);
    expect(existsSync(join(first.path, 'file'))).to.equal(true);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const third = await startOwner();
    expect(readdirSync(parent)).to.have.members([nameOf(second.path), nameOf(third.path), ...ownNames]);
    await Promise.all(own.map((folder) => folder.remove()));
    expect(readdirSync(parent)).to.have.members([nameOf(second.path), nameOf(third.path)]);
  });

  it('replaces a folder of an earlier version, and no folder of another kind or with another name', async () => {
    const left = 'follow-1-8a7f4a5e-2f0f-4f0c-9d5c-0f3ec1ff6b58';
    // Folders of users must be kept, even if their names look like those of own folders, for example because of a date.
    const kept = ['staging-1-8a7f4a5e-2f0f-4f0c-9d5c-0f3ec1ff6b58', 'follow-202601312359', 'follow-my-notes'];
    for (const name of [left, ...kept]) mkdirSync(join(parent, name));
    const { remove } = await createOwnFolder(parent, 'follow');
    await remove();
    expect(readdirSync(parent)).to.have.members(kept);
  });

  it('is not created where the system creates no folders', async function () {
    if (!existsSync('/proc/self')) return this.skip();
    const reason = await createOwnFolder('/proc', 'follow').catch((error: NodeJS.ErrnoException) => error.code);
    expect(reason).to.be.oneOf(['ENOENT', 'EACCES', 'EPERM']);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { StoredKey } from '../../accounts/keys/api-key.js';
import { changeKeys } from '../../accounts/keys/change-keys.js';
import { readKeys } from '../../accounts/keys/stored-keys.js';
import { CREATED, fileOf, keyOf } from './keys.js';

const CHILD = fileURLToPath(new URL('./key-change-child.js', import.meta.url));
const NOW = new Date(CREATED);
const FIRST = keyOf('0000000a').key;
const OTHER = keyOf('0000000c').key;

describe('a change of the API keys', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-keys-'));
    file = join(folder, 'keys.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const add = (key: StoredKey, path = file, now = NOW) =>
    changeKeys(path, now, (keys) => ({ keys: [...keys, key], result: keys.length }));
  const isRoot = process.getuid?.() === 0;

  it('creates the file, which only its owner can read', async () => {
    expect(await readKeys(file)).to.deep.equal([]);
    expect(await add(FIRST)).to.deep.equal({ result: 0, removed: [] });
    expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal({ keys: [FIRST] });
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    await chmod(file, 0o644);
    expect(await add(OTHER)).to.deep.equal({ result: 1, removed: [] });
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder)).to.have.members(['keys.json', 'keys.json.lock']);
  });

  it('runs after all earlier changes', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => at.toString(16).padStart(8, '0'));
    await Promise.all(ids.map((id) => add(keyOf(id).key)));
    expect((await readKeys(file)).map(({ id }) => id)).to.have.members(ids);
  });

  it('leaves the old file if its process is killed before it replaces the file', async () => {
    await add(FIRST);
    const old = await readFile(file, 'utf8');
    const child = spawn(process.execPath, [CHILD, file], { stdio: ['ignore', 'inherit', 'inherit'] });
    expect(await once(child, 'exit')).to.deep.equal([null, 'SIGKILL']);
    expect(await readdir(folder)).to.have.members(['keys.json', 'keys.json.lock', 'keys.json.new']);
    expect((await readKeys(`${file}.new`)).map(({ id }) => id)).to.deep.equal(['0000000a', '0000000b']);
    expect(await readFile(file, 'utf8')).to.equal(old);
    await add(OTHER);
    expect(await readKeys(file)).to.deep.equal([FIRST, OTHER]);
    expect(await readdir(folder)).to.have.members(['keys.json', 'keys.json.lock']);
  });

  it('leaves the old file if the new one cannot be written completely', async () => {
    await writeFile(file, fileOf(FIRST));
    // The limit of the shell is one block of 1024 bytes for each file.
    const limited = `ulimit -f 1; exec '${process.execPath}' '${CHILD}' '${file}'`;
    await add({ ...OTHER, claims: { note: 'x'.repeat(1_000) } });
    const old = await readFile(file, 'utf8');
    const child = spawn('bash', ['-c', limited], { stdio: ['ignore', 'inherit', 'pipe'] });
    let err = '';
    child.stderr.on('data', (data) => {
      err += data;
    });
    expect(await once(child, 'close')).to.deep.equal([1, null]);
    expect(err).to.include('EFBIG: file too large, write');
    expect(await readFile(file, 'utf8')).to.equal(old);
    expect(await readdir(folder)).to.have.members(['keys.json', 'keys.json.lock']);
  });

  it('never replaces a damaged file, and never writes one', async () => {
    await writeFile(file, '{"keys":[');
    const damaged = await add(FIRST).catch((error: Error) => error.message);
    expect(damaged).to.equal(`Wrong API keys:\n  ${file}:1:10 not JSON: Unexpected end of JSON input`);
    expect(await readFile(file, 'utf8')).to.equal('{"keys":[');
    await writeFile(file, fileOf(FIRST));
    const wrong = await add({ ...OTHER, scopes: [] }).catch((error: Error) => error.message);
    expect(wrong).to.match(/keys\.1\.scopes: invalid value \(expected a list of at least 1 item, got a list\)$/);
    const scopes = Array.from({ length: 1_000 }, (_, at) => `${at}`.padStart(200, 'x'));
    const large = Array.from({ length: 50 }, (_, at) => keyOf(`000000${at + 16}`, { scopes }).key);
    const change = changeKeys(file, NOW, () => ({ keys: large, result: undefined }));
    expect(await change.catch((error: Error) => error.message)).to.match(
      /: expected at most 10000000 bytes of API keys, got \d+\.$/,
    );
    expect(await readFile(file, 'utf8')).to.equal(fileOf(FIRST));
  });

  it('removes keys that were revoked or have expired 90 days ago', async () => {
    const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
    const kept = [
      FIRST,
      keyOf('00000001', { expiresAt: daysAgo(-1) }).key,
      keyOf('00000002', { expiresAt: daysAgo(89) }).key,
      keyOf('00000003', { revokedAt: daysAgo(89), expiresAt: daysAgo(88) }).key,
    ];
    const removed = [
      keyOf('00000004', { expiresAt: daysAgo(90) }).key,
      keyOf('00000005', { revokedAt: daysAgo(91) }).key,
      keyOf('00000006', { revokedAt: daysAgo(90), expiresAt: daysAgo(-1) }).key,
    ];
    await writeFile(file, fileOf(...removed, ...kept));
    expect(await add(OTHER)).to.deep.equal({ result: 7, removed: ['00000004', '00000005', '00000006'] });
    expect(await readKeys(file)).to.deep.equal([...kept, OTHER]);
  });

  it('follows a link to the file', async () => {
    await mkdir(join(folder, 'real'));
    const real = join(folder, 'real', 'shared.json');
    await writeFile(real, fileOf(FIRST));
    await symlink(real, file);
    await add(OTHER);
    expect(await readKeys(real)).to.deep.equal([FIRST, OTHER]);
    expect(await readdir(folder)).to.have.members(['keys.json', 'real']);
  });

  it('fails with the path if the folder does not exist', async () => {
    const missing = join(folder, 'none', 'keys.json');
    const reason = await add(FIRST, missing).catch((error: Error) => error.message);
    expect(reason).to.equal(
      `The API keys in ${missing} cannot be changed: ENOENT: no such file or directory, open '${missing}.lock'`,
    );
  });

  (isRoot ? it : it.skip)(
    'by root keeps the owner of the file, or gives a new file the owner of its folder',
    async () => {
      await chown(folder, 1234, 1235);
      await add(FIRST);
      const ownerOf = async (name: string) => {
        const { uid, gid } = await stat(join(folder, name));
        return [uid, gid];
      };
      expect([await ownerOf('keys.json'), await ownerOf('keys.json.lock')]).to.deep.equal([
        [1234, 1235],
        [1234, 1235],
      ]);
      await chown(file, 1236, 1235);
      await add(OTHER);
      expect(await ownerOf('keys.json')).to.deep.equal([1236, 1235]);
    },
  );
});

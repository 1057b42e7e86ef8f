import { chmod, mkdir, mkdtemp, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { KeyFile } from '../../accounts/keys/key-file.js';
import { CREATED, fileOf, keyOf } from './keys.js';

const FIRST = keyOf('0000000a');
const SECOND = keyOf('0000000b');

describe('the API keys of a service', () => {
  let folder: string;
  let file: string;
  let now: string;
  let elapsed: number;
  let useErrors: unknown[];
  let keys: KeyFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-keys-'));
    file = join(folder, 'keys.json');
    [now, elapsed, useErrors] = ['2026-03-02T00:00:00.000Z', 0, []];
    keys = new KeyFile({
      ...{ file, useFolder: join(folder, 'key-use') },
      ...{ clock: () => new Date(now), stopwatch: () => elapsed, onUseError: (error) => void useErrors.push(error) },
    });
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Replaces the file as the commands do, so that it has another inode. */
  const write = async (text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  const idOf = async (secret: string) => (await keys.find(secret))?.id;
  /** Returns the message of the error, with the path of the file replaced. */
  const failure = async () => {
    elapsed += 250;
    const error = await keys.find(FIRST.secret).catch((reason: Error) => reason);
    return error instanceof Error ? error.message.replaceAll(file, 'FILE') : error;
  };

  it('are found by their secret, without the hashes', async () => {
    const granted = {
      ...{ scopes: ['list-orders', 'tag:Sales'], roles: ['staff'], claims: { tenant: 'acme', level: 3, isNew: true } },
      ...{ requestsPerMinute: 60, requestsPerHour: 1000, expiresAt: '2026-04-01T00:00:00.000Z' },
    };
    const { key, secret } = keyOf('0000000c', granted);
    await write(fileOf(FIRST.key, { ...key, previous: { sha256: FIRST.key.sha256, validUntil: CREATED } }));
    expect(await keys.find(secret)).to.deep.equal({
      ...{ id: '0000000c', name: 'key 0000000c', createdAt: CREATED },
      ...granted,
    });
  });

  it('are not found by other texts', async () => {
    await write(fileOf(FIRST.key, SECOND.key));
    const [, , secret = ''] = /^(rik_\w{8}_)(.*)$/.exec(FIRST.secret) ?? [];
    const texts = [
      ...['', 'rik_', secret, FIRST.secret.slice(0, -1), `${FIRST.secret}a`, ` ${FIRST.secret}`, `${FIRST.secret}\n`],
      ...[FIRST.secret.toUpperCase(), `rik_0000000b_${secret}`, `rik_0000000c_${secret}`, keyOf('0000000a').secret],
      ...['rik___proto___', FIRST.key.sha256, `rik_0000000a_${'a'.repeat(43)}`],
    ];
    for (const text of texts) expect(await keys.find(text), text).to.equal(undefined);
    expect(await idOf(FIRST.secret)).to.equal('0000000a');
  });

  it('are valid until they expire', async () => {
    const { key, secret } = keyOf('0000000c', { expiresAt: '2026-03-02T00:00:00.000Z' });
    await write(fileOf(key));
    now = '2026-03-01T23:59:59.999Z';
    expect(await idOf(secret)).to.equal('0000000c');
    now = '2026-03-02T00:00:00.000Z';
    expect(await idOf(secret)).to.equal(undefined);
  });

  it('are not valid after they were revoked, also if the clock of another machine is ahead', async () => {
    const { key, secret } = keyOf('0000000c', { revokedAt: '2026-03-09T00:00:00.000Z' });
    await write(fileOf(key));
    expect(await idOf(secret)).to.equal(undefined);
  });

  it('are found by the previous secret until the end of its grace, and never if they are revoked', async () => {
    const { key, secret } = keyOf('0000000c');
    const old = keyOf('0000000c');
    const previous = { sha256: old.key.sha256, validUntil: now };
    await write(fileOf({ ...key, previous }));
    now = '2026-03-01T23:59:59.999Z';
    expect([await idOf(old.secret), await idOf(secret)]).to.deep.equal(['0000000c', '0000000c']);
    now = '2026-03-02T00:00:00.000Z';
    expect([await idOf(old.secret), await idOf(secret)]).to.deep.equal([undefined, '0000000c']);
    now = '2026-03-01T00:00:00.000Z';
    await write(fileOf({ ...key, previous, revokedAt: now }));
    elapsed = 250;
    expect([await idOf(old.secret), await idOf(secret)]).to.deep.equal([undefined, undefined]);
  });

  it('are read again for an unknown secret, and otherwise a quarter of a second after a look', async () => {
    expect(await idOf(FIRST.secret)).to.equal(undefined);
    await write(fileOf(FIRST.key));
    expect(await idOf(FIRST.secret)).to.equal('0000000a');
    const rotated = keyOf('0000000a');
    await write(fileOf(rotated.key));
    expect(await idOf(rotated.secret)).to.equal('0000000a');
    await write(fileOf({ ...rotated.key, revokedAt: CREATED }));
    elapsed = 249;
    expect(await idOf(rotated.secret)).to.equal('0000000a');
    elapsed = 250;
    expect(await idOf(rotated.secret)).to.equal(undefined);
    await write(fileOf({ ...FIRST.key, revokedAt: CREATED }));
    elapsed = 500;
    expect(await Promise.all([idOf(FIRST.secret), idOf(FIRST.secret)])).to.deep.equal([undefined, undefined]);
    await write(fileOf(FIRST.key));
    elapsed = 750;
    expect(await idOf(FIRST.secret)).to.equal('0000000a');
    await rm(file);
    elapsed = 1_000;
    expect(await idOf(FIRST.secret)).to.equal(undefined);
  });

  it('are known without waiting only after a look at the file, for a quarter of a second, while they are valid', async () => {
    const known = (secret: string) => keys.findKnown(secret)?.id;
    const { key, secret } = keyOf('0000000c', { expiresAt: '2026-03-03T00:00:00.000Z' });
    await write(fileOf(FIRST.key, key));
    expect(known(secret)).to.equal(undefined);
    const found = await keys.find(secret);
    expect(keys.findKnown(secret)).to.equal(found);
    expect([known(FIRST.secret), known(SECOND.secret), known('')]).to.deep.equal(['0000000a', undefined, undefined]);
    now = '2026-03-03T00:00:00.000Z';
    expect([known(secret), known(FIRST.secret)]).to.deep.equal([undefined, '0000000a']);
    await write(fileOf({ ...FIRST.key, revokedAt: CREATED }));
    elapsed = 249;
    expect(known(FIRST.secret)).to.equal('0000000a');
    elapsed = 250;
    expect(known(FIRST.secret)).to.equal(undefined);
    expect([await idOf(FIRST.secret), known(FIRST.secret)]).to.deep.equal([undefined, undefined]);
    await write('damaged');
    elapsed = 500;
    const looking = failure();
    expect(known(FIRST.secret), 'during a look').to.equal(undefined);
    expect(await looking).to.contain('not JSON');
    expect(known(FIRST.secret), 'of a damaged file').to.equal(undefined);
  });

  it('are read again after a change that keeps the size and the time of the file', async () => {
    await write(fileOf(FIRST.key));
    expect(await idOf(FIRST.secret)).to.equal('0000000a');
    const { size, atime, mtime } = await stat(file);
    await write(fileOf(SECOND.key));
    await utimes(file, atime, mtime);
    elapsed = 250;
    expect((await stat(file)).size).to.equal(size);
    expect([await idOf(FIRST.secret), await idOf(SECOND.secret)]).to.deep.equal([undefined, '0000000b']);
  });

  it('are all rejected while the file is damaged', async () => {
    const text = JSON.stringify({ keys: [FIRST.key] }, null, 2);
    const damaged: readonly (readonly [string, string])[] = [
      ['', 'FILE:1:1 not JSON: Unexpected end of JSON input'],
      ['{"keys":[', 'FILE:1:10 not JSON: Unexpected end of JSON input'],
      ['[]', 'FILE:1:1 invalid value (expected a mapping, got a list)'],
      ['null', 'FILE:1:1 the file is empty'],
      ['{}', 'FILE:1:1 the key "keys" is missing'],
      [text.replace('"roles"', '"role"'), 'FILE:9:8 keys.0.role: unknown key (did you mean "roles"?)'],
      [
        text.replace(CREATED, '2026-13-01T10:00:00.000Z'),
        'FILE:11:21 keys.0.createdAt: invalid value (expected a createdAt such as 2026-01-31T10:00:00.000Z, got "2026-13-01T10:00:00.000Z")',
      ],
      [text.replace('"*"', '3'), 'FILE:7:9 keys.0.scopes.0: invalid value (expected text, got 3)'],
      [JSON.stringify({ keys: [FIRST.key, FIRST.key] }), 'FILE:1:COLUMN keys.1.id: another key has the same id'],
    ];
    for (const [wrong, problem] of damaged) {
      await write(wrong);
      const column = 2 + wrong.lastIndexOf('"0000000a"');
      const message = `Wrong API keys:\n  ${problem.replace('COLUMN', String(column))}`;
      expect(await failure()).to.equal(message);
      // The file is not parsed again before it changes, and the result stays the same.
      expect(await failure()).to.equal(message);
    }
    await writeFile(file, new Uint8Array([0xff, 0xfe]));
    expect(await failure()).to.equal('Wrong API keys:\n  FILE:1:1 the file is not UTF-8: save it as UTF-8');
    await write(text);
    expect(await failure()).to.include({ id: '0000000a' });
  });

  it('are all rejected while the file is too large, or not a file', async () => {
    await write(fileOf(FIRST.key));
    expect(await idOf(FIRST.secret)).to.equal('0000000a');
    await truncate(file, 10_000_001);
    expect(await failure()).to.equal('FILE: expected at most 10000000 bytes of API keys, got 10000001.');
    await rm(file);
    await mkdir(file);
    expect(await failure()).to.equal('The API keys cannot be read: FILE is not a file.');
    await rm(file, { recursive: true });
    await write(fileOf(FIRST.key));
    expect(await failure()).to.include({ id: '0000000a' });
  });

  // The root user can read every file.
  (process.getuid?.() === 0 ? it.skip : it)('are all rejected while the file is not readable', async () => {
    await write(fileOf(FIRST.key));
    await chmod(file, 0);
    expect(await failure()).to.equal("EACCES: permission denied, open 'FILE'");
    await chmod(file, 0o600);
    expect(await failure()).to.include({ id: '0000000a' });
  });

  it('have a time of last use, which is stored at most once per minute', async () => {
    const use = async () => (await stat(join(folder, 'key-use', '0000000a'))).mtime.toISOString();
    await Promise.all([keys.markUsed('0000000a'), keys.markUsed('0000000b')]);
    expect(await use()).to.equal('2026-03-02T00:00:00.000Z');
    [now, elapsed] = ['2026-03-02T00:00:59.000Z', 59_999];
    await keys.markUsed('0000000a');
    expect(await use()).to.equal('2026-03-02T00:00:00.000Z');
    elapsed = 60_000;
    await keys.markUsed('0000000a');
    expect(await use()).to.equal('2026-03-02T00:00:59.000Z');
    expect(useErrors).to.deep.equal([]);
  });

  it('are found although the time of their use cannot be stored, which is reported once', async () => {
    await writeFile(join(folder, 'key-use'), '');
    await write(fileOf(FIRST.key));
    for (const minute of [0, 1, 2]) {
      elapsed = minute * 60_000;
      await keys.markUsed('0000000a');
      expect(await idOf(FIRST.secret)).to.equal('0000000a');
    }
    expect(useErrors.map((error) => (error as NodeJS.ErrnoException).code)).to.deep.equal(['ENOTDIR']);
  });
});

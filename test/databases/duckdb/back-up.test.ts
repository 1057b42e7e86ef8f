import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestDatabase } from './open-test-database.js';

describe('a backup of the embedded database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('never replaces a file that appears while it runs, such as a complete backup, and leaves nothing else, also after a kill', async () => {
    const database = await openTestDatabase();
    const to = join(folder, 'copy.db');
    const killed = join(folder, 'backup-0123456789ab');
    await mkdir(join(killed, 'files'), { recursive: true });
    await writeFile(join(killed, 'lock'), '');
    await writeFile(join(killed, 'files', 'copy.db'), 'half');
    try {
      await database.write((connection) => connection.run('CREATE TABLE numbers AS SELECT * FROM range(100000) r(n)'));
      const { signal } = new AbortController();
      const ended = await Promise.allSettled([database.backUp(to, signal), database.backUp(to, signal)]);
      const results = ended.map((each) => (each.status === 'rejected' ? String(each.reason) : 'complete'));
      expect(results).to.have.members(['complete', `Error: ${to} already exists. A backup never replaces a file.`]);
    } finally {
      await database.close();
    }
    expect(await readdir(folder)).to.deep.equal(['copy.db']);
    const copy = await openTestDatabase({ file: to });
    const { rows } = await copy.query({ sql: 'SELECT COUNT(*) FROM numbers' }, [], { maxRows: 1, timeoutMs: 20_000 });
    await copy.close();
    expect(rows).to.deep.equal([[100_000]]);
  });

  it('is not made if its caller stopped it before the copy begins', async () => {
    const database = await openTestDatabase();
    try {
      const reason = new Error('stopped');
      const stopped = database.backUp(join(folder, 'copy.db'), AbortSignal.abort(reason));
      expect(await stopped.catch((error: unknown) => error)).to.equal(reason);
    } finally {
      await database.close();
    }
    expect(await readdir(folder)).to.deep.equal([]);
  });
});

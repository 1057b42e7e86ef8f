import { mkdtemp, readdir, rm } from 'node:fs/promises';
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

  it('rejects a second one to the same file while the first one runs, which is complete', async () => {
    const database = await openTestDatabase();
    const to = join(folder, 'copy.db');
    try {
      await database.write((connection) => connection.run('CREATE TABLE numbers AS SELECT * FROM range(100000) r(n)'));
      const { signal } = new AbortController();
      const ended = await Promise.allSettled([database.backUp(to, signal), database.backUp(to, signal)]);
      expect(ended.map((each) => (each.status === 'rejected' ? String(each.reason) : 'complete'))).to.deep.equal([
        'complete',
        `Error: A backup to ${to} is running.`,
      ]);
    } finally {
      await database.close();
    }
    expect(await readdir(folder)).to.deep.equal(['copy.db']);
    const copy = await openTestDatabase({ file: to });
    const { rows } = await copy.query({ sql: 'SELECT COUNT(*) FROM numbers' }, [], { maxRows: 1, timeoutMs: 20_000 });
    await copy.close();
    expect(rows).to.deep.equal([[100_000]]);
  });
});

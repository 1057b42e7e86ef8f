import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { FIXTURES, reopened, testWarehouse } from './test-warehouse.js';

describe('an embedded database on a full disk', () => {
  it('reports it, keeps complete batches only, and imports the rest when there is space', async () => {
    const clean = await testWarehouse();
    const full = await testWarehouse();
    await full.leave();
    try {
      await clean.import([FIXTURES]);
      const error = await importWithin(LOG_KILOBYTES, full.folder);
      expect(error).to.match(/File too large|No space left/);
      const again = await reopened(full.folder, undefined);
      try {
        const [[stored], [recorded]] = [await again.rows(STORED), await again.rows(RECORDED)];
        expect(stored).to.deep.equal(recorded);
        expect(Number(stored?.[0])).to.be.lessThan((await clean.rows('SELECT id FROM github_events')).length);
        await again.import([FIXTURES]);
        expect(await again.everything()).to.deep.equal(await clean.everything());
      } finally {
        await again.close();
      }
    } finally {
      await clean.close();
    }
  });
});

const STORED = 'SELECT COUNT(*) FROM github_events';
/** A query for the number of stored events according to the ledger. */
const RECORDED = 'SELECT COALESCE(SUM(events - already_there), 0) FROM import_files';

/** The space for the write-ahead log in kilobytes. The space is enough for some of the fixtures but not for all. */
const LOG_KILOBYTES = 20;

/** Imports the fixtures in a process whose files are limited to a size in kilobytes. Returns the error output of the process. */
async function importWithin(kilobytes: number, folder: string): Promise<string> {
  const program = fileURLToPath(new URL('./import-child.js', import.meta.url));
  // The unit of `ulimit` is 512 bytes. Without the `trap`, a signal would kill the process without an error message.
  const limited = `trap '' XFSZ; ulimit -f ${kilobytes * 2}; exec "$@" </dev/null`;
  const words = [process.execPath, program, folder, '', '', '', FIXTURES];
  return promisify(execFile)('sh', ['-c', limited, 'sh', ...words]).then(
    () => 'no error',
    ({ stderr }: { stderr: string }) => stderr,
  );
}

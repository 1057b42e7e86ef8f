import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { FIXTURES, reopened, testWarehouse } from './test-warehouse.js';

describe('an embedded database that may not grow', () => {
  it('says so, keeps whole batches only, and takes the rest once there is room', async () => {
    const clean = await testWarehouse();
    const full = await testWarehouse();
    await full.leave();
    try {
      await clean.import([FIXTURES]);
      const error = await importWithin(LOG_KILOBYTES, full.folder);
      expect(error).to.match(/File too large|No space left/);
      const again = await reopened(full.folder, undefined);
      try {
        const [[stored], [told]] = [await again.rows(STORED), await again.rows(TOLD)];
        expect(stored).to.deep.equal(told);
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
/** What the ledger says of files that are in. */
const TOLD = 'SELECT COALESCE(SUM(events - already_there), 0) FROM import_files';

/** Room for the write-ahead log of some of the fixtures. */
const LOG_KILOBYTES = 20;

/** Imports in a process whose files may have so many kilobytes, and gives what it says on its end. */
async function importWithin(kilobytes: number, folder: string): Promise<string> {
  const program = fileURLToPath(new URL('./import-child.js', import.meta.url));
  // The limit of a shell counts 512 bytes; without the trap the process would be killed and nothing told.
  const limited = `trap '' XFSZ; ulimit -f ${kilobytes * 2}; exec "$@" </dev/null`;
  const words = [process.execPath, program, folder, '', FIXTURES];
  return promisify(execFile)('sh', ['-c', limited, 'sh', ...words]).then(
    () => 'no error',
    ({ stderr }: { stderr: string }) => stderr,
  );
}

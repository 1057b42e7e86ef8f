import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestDatabase, temporaryFolder } from './open-test-database.js';
import { startChild } from './start-child.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };

/**
 * Defines the tests of a write-ahead log. The log is truncated and damaged at every `step`th byte of its header, of the first commits and of
 * the last two.
 */
export function testLogs(step: number): void {
  describe('opening the embedded database with a write-ahead log', () => {
    const END_OF_COMMIT = Buffer.from('640064ffff', 'hex');
    const ROWS = 'SELECT CAST(COUNT(*) AS CHAR) AS n FROM t';
    let folder: string;
    let file: string;
    /** The write-ahead log of a process that was killed after eleven commits. Only this log contains the last ten commits. */
    let log: Buffer;
    before(async () => {
      folder = temporaryFolder();
      file = join(folder, 'test.db');
      const writer = await startChild(
        file,
        `await database.write((connection) => connection.run('CREATE TABLE t (a INTEGER)'));
       await database.maintain((connection) => connection.run('CHECKPOINT'));
       for (let a = 0; a < 10; a += 1) await database.write((connection) => connection.run('INSERT INTO t VALUES (' + a + ')'));
       console.log('written');
       process.stdin.resume();`,
      );
      expect(await writer.line()).to.equal('written');
      await writer.kill();
      log = readFileSync(`${file}.wal`);
    });

    /** Opens the file with this log. Resolves to the number of rows, and the notices for the operator. */
    const openWith = async (bytes: Buffer) => {
      const copy = join(temporaryFolder(), 'test.db');
      copyFileSync(file, copy);
      writeFileSync(`${copy}.wal`, bytes);
      const notices: string[] = [];
      const database = await openTestDatabase({
        file: copy,
        onNotice: (notice) => notices.push(notice.replaceAll(copy, 'FILE')),
      });
      const { rows } = await database.query(database.prepare(ROWS), [], SOON);
      await database.close();
      return [Number(rows[0]?.[0]), ...notices];
    };
    const changed = (place: number) => {
      const bytes = Buffer.from(log);
      bytes[place] = 255 - (bytes[place] ?? 0);
      return bytes;
    };
    /** Returns positions in the header, in the first commits and in the last two. All commits in the log have the same form. */
    const placesIn = (bytes: Buffer) => {
      const places = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step);
      const ofCommit = Math.ceil(bytes.length / 10);
      return places.filter((place) => place < 2 * ofCommit || place > bytes.length - 1.5 * ofCommit);
    };
    const truncatedNotice = (bytes: number, of: number) =>
      `The write-ahead log FILE.wal ends in the middle of a commit: ${bytes} of its ${of} bytes are discarded. After a crash these ` +
      'are changes that were not confirmed. If the file was damaged in another way, confirmed commits are lost.';
    const discardedNotice = (bytes: number) =>
      `The write-ahead log FILE.wal (${bytes} bytes) is discarded: it is damaged or belongs to another program. All commits after the last ` +
      'checkpoint are lost. Import their files again, or restore a backup.';

    it('has all commits and no notice if the log is complete', async () => {
      expect(await openWith(log)).to.deep.equal([10]);
    });

    it('has a notice about missing commits if the log is truncated', async () => {
      const endOfFirst = log.indexOf(END_OF_COMMIT) + END_OF_COMMIT.length;
      for (const kept of [...placesIn(log), endOfFirst]) {
        const [rows, ...notices] = await openWith(log.subarray(0, kept));
        const isAtCommit = log.subarray(0, kept).lastIndexOf(END_OF_COMMIT) === kept - END_OF_COMMIT.length;
        expect(notices, `${kept} bytes, ${rows} rows`).to.have.length(isAtCommit ? 0 : 1);
      }
      const cut = log.length - 3;
      const [rows, notice] = await openWith(log.subarray(0, cut));
      expect(rows).to.equal(9);
      const last = cut - log.lastIndexOf(END_OF_COMMIT, cut - 6) - END_OF_COMMIT.length;
      expect(notice).to.equal(truncatedNotice(last, cut));
    });

    it('has a notice about the discarded log if it has another format or a damaged header', async () => {
      expect(await openWith(Buffer.alloc(3_000, 'not a log'))).to.deep.equal([0, discardedNotice(3_000)]);
      expect(await openWith(changed(0))).to.deep.equal([0, discardedNotice(log.length)]);
      expect(await openWith(changed(4))).to.deep.equal([0, discardedNotice(log.length)]);
      expect(await openWith(Buffer.alloc(0))).to.deep.equal([0, discardedNotice(0)]);
    });

    it('opens with a notice or does not open if the log has a damaged record', async () => {
      for (const place of placesIn(log)) {
        const [rows, ...notices] = await openWith(changed(place)).catch((error: Error) => {
          expect(error.message).to.contain('is damaged and cannot be read');
          return ['not opened', 'a notice'];
        });
        expect([rows === 10, notices.length], `byte ${place}`).to.deep.equal([false, 1]);
      }
    });
  });
}

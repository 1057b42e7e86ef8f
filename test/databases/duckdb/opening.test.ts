import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DatabaseFileError, DatabaseHeldError, explainOpenError } from '../../../databases/duckdb/open-error.js';
import { errorOf, messageOf } from '../failures.js';
import { child } from './child.js';
import { opened, temporaryFolder } from './opened.js';

const SOON = { maxRows: 10, timeoutMs: 20_000 };

describe('opening the embedded database', () => {
  it('says which process holds the file and what to do', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const holder = await child(file, `console.log('open'); setInterval(() => {}, 1000);`);
    expect(await holder.line()).to.equal('open');
    const error = (await errorOf(opened({ file }))) as DatabaseHeldError;
    expect(error).to.be.instanceOf(DatabaseHeldError);
    expect([error.file, error.pid]).to.deep.equal([file, holder.pid]);
    expect(error.message).to.contain(`is in use by process ${holder.pid} (`).and.to.contain('Stop that process');
    await holder.kill();
  });

  it('does not open a file twice in one process', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const database = await opened({ file });
    expect(await messageOf(opened({ file }))).to.contain(`is in use by process ${process.pid}`);
    await database.close();
    await (await opened({ file })).close();
  });

  it('opens for reading only, with the dialect and without a way to write', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const first = await opened({ file });
    await first.write((connection) => connection.run('CREATE TABLE t AS SELECT 1 AS a'));
    await first.close();
    const database = await opened({ file, access: 'read_only' });
    const query = database.prepare("SELECT a, DATEDIFF('2020-01-02', '2020-01-01') FROM t");
    expect((await database.query(query, [], SOON)).rows).to.deep.equal([[1, 1]]);
    const refused = database.write((connection) => connection.run('INSERT INTO t VALUES (2)'));
    expect(await messageOf(refused)).to.contain('read-only');
    await database.close();
  });

  it('names the file that cannot be opened and why', async () => {
    const folder = temporaryFolder();
    const text = join(folder, 'notes.db');
    writeFileSync(text, 'These are notes, not a database. '.repeat(500));
    const damaged = join(folder, 'damaged.db');
    await (await opened({ file: damaged })).close();
    const bytes = readFileSync(damaged);
    bytes.fill(7, 12, 40);
    writeFileSync(damaged, bytes);
    const missing = join(folder, 'none', 'test.db');
    const expected: readonly (readonly [string, string])[] = [
      [text, `${text} is not a database of this program`],
      [damaged, `${damaged} is damaged and cannot be read`],
      [missing, `${missing} cannot be found, and its folder may be missing`],
      [folder, `${folder} `],
    ];
    for (const [file, message] of expected) {
      const error = await errorOf(opened({ file }));
      expect(error, file).to.be.instanceOf(DatabaseFileError);
      expect(error.message).to.contain(message);
    }
  });

  it('knows what other troubles of DuckDB mean', () => {
    const told = (message: string) => explainOpenError('/data/a.db', new Error(message)).message;
    expect(
      told('Trying to read a database file with version number 99, but we can only read versions between 64 and 67.'),
    ).to.contain('/data/a.db was written by another version of DuckDB');
    expect(told('IO Error: Cannot open file "/data/a.db": Permission denied')).to.contain('is read-only for this user');
    expect(told('IO Error: Could not write file: No space left on device')).to.contain('the disk is full');
    expect(told('Something else')).to.equal('/data/a.db cannot be opened as a database: Something else');
  });

  describe('with a write-ahead log', () => {
    const END_OF_COMMIT = Buffer.from('640064ffff', 'hex');
    const ROWS = 'SELECT CAST(COUNT(*) AS CHAR) AS n FROM t';
    let folder: string;
    let file: string;
    /** The log of a process that was killed after eleven commits. Only the log has the last ten of them. */
    let log: Buffer;
    before(async () => {
      folder = temporaryFolder();
      file = join(folder, 'test.db');
      const writer = await child(
        file,
        `await database.write((connection) => connection.run('CREATE TABLE t (a INTEGER)'));
         await database.maintain((connection) => connection.run('CHECKPOINT'));
         for (let a = 0; a < 10; a += 1) await database.write((connection) => connection.run('INSERT INTO t VALUES (' + a + ')'));
         console.log('written');
         setInterval(() => {}, 1000);`,
      );
      expect(await writer.line()).to.equal('written');
      await writer.kill();
      log = readFileSync(`${file}.wal`);
    });

    /** The rows that are found beside this log, and what the operator hears. */
    const openedWith = async (bytes: Buffer) => {
      const copy = join(temporaryFolder(), 'test.db');
      copyFileSync(file, copy);
      writeFileSync(`${copy}.wal`, bytes);
      const notices: string[] = [];
      const database = await opened({
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
    const CUT = (bytes: number, of: number) =>
      `The write-ahead log FILE.wal ends in the middle of a commit: ${bytes} of its ${of} bytes are discarded. After a crash these ` +
      'are changes that were not confirmed; if the file was damaged in another way, confirmed commits are lost.';
    const DISCARDED = (bytes: number) =>
      `The write-ahead log FILE.wal (${bytes} bytes) is damaged or another program's, and is discarded. Commits after the last ` +
      'checkpoint are lost; import their files again, or restore a backup.';

    it('that is whole has all commits, and nothing to say', async () => {
      expect(await openedWith(log)).to.deep.equal([10]);
    });

    it('that was cut at any place says so where commits are missing', async () => {
      for (let kept = 0; kept < log.length; kept += 13) {
        const [rows, ...notices] = await openedWith(log.subarray(0, kept));
        const isAtCommit = log.subarray(0, kept).lastIndexOf(END_OF_COMMIT) === kept - END_OF_COMMIT.length;
        expect(notices, `${kept} bytes, ${rows} rows`).to.have.length(isAtCommit ? 0 : 1);
      }
      const cut = log.length - 3;
      const [rows, notice] = await openedWith(log.subarray(0, cut));
      expect(rows).to.equal(9);
      const last = cut - log.lastIndexOf(END_OF_COMMIT, cut - 6) - END_OF_COMMIT.length;
      expect(notice).to.equal(CUT(last, cut));
    });

    it('that is of something else, or has a damaged head, says that it is discarded', async () => {
      expect(await openedWith(Buffer.alloc(3_000, 'not a log'))).to.deep.equal([0, DISCARDED(3_000)]);
      expect(await openedWith(changed(0))).to.deep.equal([0, DISCARDED(log.length)]);
      expect(await openedWith(changed(4))).to.deep.equal([0, DISCARDED(log.length)]);
      expect(await openedWith(Buffer.alloc(0))).to.deep.equal([0, DISCARDED(0)]);
    });

    it('whose records are damaged either opens with a notice or does not open', async () => {
      for (let place = 0; place < log.length; place += 11) {
        const [rows, ...notices] = await openedWith(changed(place)).catch((error: Error) => {
          expect(error.message).to.contain('is damaged and cannot be read');
          return ['not opened', 'a notice'];
        });
        expect([rows === 10, notices.length], `byte ${place}`).to.deep.equal([false, 1]);
      }
    });
  });
});

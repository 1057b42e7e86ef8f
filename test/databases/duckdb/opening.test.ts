import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { explainWriteError } from '../../../engine/databases/duckdb/connection/file-errors.js';
import { IN_MEMORY } from '../../../engine/databases/duckdb/connection/options.js';
import { DatabaseFileError, DatabaseHeldError, explainOpenError } from '../../../engine/databases/duckdb/open-error.js';
import { StagingDatabase } from '../../../engine/databases/duckdb/staging-database.js';
import { errorOf, messageOf } from '../failures.js';
import { openTestDatabase, temporaryFolder } from './open-test-database.js';
import { startChild } from './start-child.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };

describe('opening the embedded database', () => {
  it('names the process that has the file open, and the next step', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const holder = await startChild(file, `console.log('open'); process.stdin.resume();`);
    expect(await holder.line()).to.equal('open');
    const error = (await errorOf(openTestDatabase({ file }))) as DatabaseHeldError;
    expect(error).to.be.instanceOf(DatabaseHeldError);
    expect([error.file, error.pid]).to.deep.equal([file, holder.pid]);
    expect(error.message).to.contain(`is in use by process ${holder.pid} (`).and.to.contain('Stop that process');
    await holder.kill();
  });

  it('does not open a file twice in one process', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const database = await openTestDatabase({ file });
    expect(await messageOf(openTestDatabase({ file }))).to.contain(`is in use by process ${process.pid}`);
    await database.close();
    await (await openTestDatabase({ file })).close();
  });

  it('opens a file for reading only, with the dialect and without writes', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const first = await openTestDatabase({ file });
    await first.write((connection) => connection.run('CREATE TABLE t AS SELECT 1 AS a'));
    await first.close();
    const database = await openTestDatabase({ file, access: 'read_only' });
    const query = database.prepare("SELECT a, DATEDIFF('2020-01-02', '2020-01-01') FROM t");
    expect((await database.query(query, [], SOON)).rows).to.deep.equal([[1, 1]]);
    const rejected = database.write((connection) => connection.run('INSERT INTO t VALUES (2)'));
    expect(await messageOf(rejected)).to.contain('read-only');
    await database.close();
  });

  it('keeps intermediate results apart from those of another database with the same folder', async () => {
    const ROWS = 200_000;
    const tempDirectory = temporaryFolder();
    // The rows need more memory than both limits.
    const openSmall = () => openTestDatabase({ file: IN_MEMORY, tempDirectory, memoryLimit: '10MB', threads: 1 });
    const databases = await Promise.all([openSmall(), openSmall()]);
    const rows = (from: number) => `
      CREATE TABLE stored AS SELECT md5(n::VARCHAR) AS digest, n FROM range(${from}, ${from + ROWS}) numbers(n)`;
    const sum = { sql: 'SELECT COUNT(*), SUM(n)::DOUBLE, SUM((digest = md5(n::VARCHAR))::INT)::DOUBLE FROM stored' };
    const sums = databases.map(async (database, from) => {
      await database.write((connection) => connection.run(rows(from)));
      return (await database.query(sum, [], SOON)).rows;
    });
    expect(await Promise.all(sums)).to.deep.equal([
      [[ROWS, (ROWS * (ROWS - 1)) / 2, ROWS]],
      [[ROWS, (ROWS * (ROWS + 1)) / 2, ROWS]],
    ]);
    await Promise.all(databases.map((database) => database.close()));
    expect(readdirSync(tempDirectory)).to.deep.equal([]);
  });

  it('names a folder of intermediate results that cannot be used, instead of the file', async () => {
    const folder = temporaryFolder();
    const [file, tempDirectory] = [join(folder, 'test.db'), join(folder, 'a file')];
    writeFileSync(tempDirectory, '');
    const message = await messageOf(openTestDatabase({ file, tempDirectory }));
    expect(message).to.contain(tempDirectory).and.to.not.contain(file);
    await (await openTestDatabase({ file })).close();
  });

  it('leaves no folder of a staging database that cannot be opened', async () => {
    const stagingDirectory = temporaryFolder();
    const options = { stagingDirectory, memoryLimit: 'nothing', threads: 1 };
    expect(await messageOf(StagingDatabase.open(options, []))).to.equal('Failed to set config');
    expect(readdirSync(stagingDirectory)).to.deep.equal([]);
  });

  it('names a file that cannot be opened, and the reason', async () => {
    const folder = temporaryFolder();
    const text = join(folder, 'notes.db');
    writeFileSync(text, 'These are notes, not a database. '.repeat(500));
    const damaged = join(folder, 'damaged.db');
    await (await openTestDatabase({ file: damaged })).close();
    const bytes = readFileSync(damaged);
    bytes.fill(7, 12, 40);
    writeFileSync(damaged, bytes);
    const missing = join(folder, 'none', 'test.db');
    const expected: readonly (readonly [string, string])[] = [
      [text, `${text} is not a DuckDB database`],
      [damaged, `${damaged} is damaged and cannot be read`],
      [missing, `${missing} does not exist, or its folder does not exist`],
      [folder, `${folder} `],
    ];
    for (const [file, message] of expected) {
      const error = await errorOf(openTestDatabase({ file }));
      expect(error, file).to.be.instanceOf(DatabaseFileError);
      expect(error.message).to.contain(message);
    }
  });

  it('explains other errors of DuckDB', () => {
    const explain = (message: string) => explainOpenError('/data/a.db', new Error(message)).message;
    expect(
      explain(
        'Trying to read a database file with version number 99, but we can only read versions between 64 and 67.',
      ),
    ).to.contain('/data/a.db was written by a version of DuckDB');
    expect(explain('IO Error: Cannot open file "/data/a.db": Permission denied')).to.contain(
      'is read-only for this user',
    );
    expect(explain('IO Error: Could not write file: No space left on device')).to.contain('the disk is full');
    expect(
      explain('IO Error: Could not read enough bytes from file "/data/a.db": attempted to read 4096 bytes'),
    ).to.equal(
      '/data/a.db is truncated: it ends before its last block. Restore a backup, or move the file and its .wal file away and import again.',
    );
    expect(explain('Something else')).to.equal('/data/a.db cannot be opened as a database: Something else');
  });

  it('explains errors of writes with the settings of this program, not with those of DuckDB', () => {
    const explain = (message: string) =>
      (explainWriteError(new Error(message)) as Error & { cause: Error }).cause.message;
    const memory =
      'Out of Memory Error: could not allocate block of size 256.0 KiB (60.0 MiB/60.0 MiB used)\nPossible solutions:';
    expect(explain(`${memory}\n* Increasing the memory limit (SET memory_limit='...GB')`)).to.equal(
      'The database cannot be written: the work needs more memory. Increase DATABASE_MEMORY, or reduce DATABASE_THREADS.',
    );
    const offload = 'Out of Memory Error: failed to offload data block of size 256.0 KiB (1.0 GiB/1.0 GiB used).';
    expect(explain(`${offload}\nThis limit was set by the 'max_temp_directory_size' setting.`)).to.equal(
      'The database cannot be written: the disk of DATA_DIR has no space for intermediate results. Free disk space, or increase DATABASE_MEMORY.',
    );
    expect(explain('IO Error: Cannot open file "/data/a.db.wal": Read-only file system')).to.equal(
      '/data/a.db.wal cannot be written: the file system is read-only. Mount it for writing, or use a folder of another one.',
    );
    expect(explain('IO Error: Could not write file "/data/a.db": No space left on device')).to.equal(
      '/data/a.db cannot be written: the disk is full (No space left). Free disk space.',
    );
  });
});

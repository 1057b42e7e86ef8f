import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../services/eventually.js';
import { messageOf } from '../failures.js';
import { openTestDatabase, temporaryFolder } from './open-test-database.js';
import { startChild } from './start-child.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };
const COUNT = { sql: 'SELECT count(*) FROM t' };

describe('writing to the embedded database', () => {
  it('commits a transaction, or rolls it back if it throws', async () => {
    const database = await openTestDatabase();
    await database.write((connection) => connection.run('CREATE TABLE t AS SELECT 1 AS a'));
    const failure = database.write(async (connection) => {
      await connection.run('INSERT INTO t VALUES (2)');
      throw new Error('after all not');
    });
    const later = database.write((connection) => connection.run('INSERT INTO t VALUES (3)'));
    expect(await messageOf(failure)).to.equal('after all not');
    await later;
    expect((await database.query({ sql: 'SELECT a FROM t ORDER BY a' }, [], SOON)).rows).to.deep.equal([[1], [3]]);
    await database.maintain((connection) => connection.run('CHECKPOINT'));
    await database.close();
  });

  it('answers queries from the last commit while a long transaction writes', async () => {
    const database = await openTestDatabase();
    await database.write((connection) => connection.run('CREATE TABLE t AS SELECT range AS a FROM range(10)'));
    let answers = 0;
    let isWritten = false;
    const writing = database.write(async (connection) => {
      for (let part = 0; part < 4; part++) await connection.run('INSERT INTO t SELECT range FROM range(100000)');
      await eventually(() => answers > 3);
      isWritten = true;
    });
    while (!isWritten) {
      const { rows } = await database.query(COUNT, [], SOON);
      if (!isWritten) {
        expect(rows).to.deep.equal([[10]]);
        answers++;
      }
    }
    await writing;
    expect((await database.query(COUNT, [], SOON)).rows).to.deep.equal([[400010]]);
    await database.close();
  });

  it('compares text byte by byte', async () => {
    const database = await openTestDatabase();
    await database.write(async (connection) => {
      await connection.run("CREATE TABLE t AS SELECT unnest(['Ann', 'ann']) AS name");
    });
    const query = database.prepare(
      'SELECT SUM(name = :p1), SUM(LOWER(name) = LOWER(:p1)), COUNT(DISTINCT name), MIN(name) FROM t',
    );
    expect((await database.query(query, ['ann'], SOON)).rows).to.deep.equal([[1, 2, 2, 'Ann']]);
    await database.close();
  });

  it('finds a name in a lower-case column by its index', async () => {
    const database = await openTestDatabase();
    await database.write(async (connection) => {
      await connection.run("CREATE TABLE t AS SELECT 'owner/repo' || range AS name, range AS id FROM range(30000)");
      await connection.run('CREATE INDEX t_name ON t (name)');
    });
    const query = database.prepare("SELECT id FROM t WHERE name = LOWER(CONCAT(:p1, '/', :p2))");
    const values = ['OWNER', 'repo4711'];
    expect((await database.query(query, values, SOON)).rows).to.deep.equal([[4711]]);
    const analysed = await database.query({ sql: `EXPLAIN ANALYZE ${query.sql}` }, values, SOON);
    expect(String(analysed.rows[0]?.[1])).to.match(/Index Scan/i);
    await database.close();
  });

  it('only reads files of the staging folder on the writing connection', async () => {
    const staging = temporaryFolder();
    const other = temporaryFolder();
    for (const folder of [staging, other]) writeFileSync(join(folder, 'a.json'), '{"a": 1}\n');
    const database = await openTestDatabase({ stagingDirectory: staging });
    const readJson = (folder: string) => `SELECT a FROM read_json('${join(folder, 'a.json')}')`;
    const rows = await database.write(async (connection) =>
      (await connection.runAndReadAll(readJson(staging))).getRowsJson(),
    );
    expect(rows).to.deep.equal([['1']]);
    const rejected = database.write((connection) => connection.run(readJson(other)));
    expect(await messageOf(rejected)).to.contain('Permission Error');
    await database.close();
  });

  it('and its log can be read only by the account of the process, also after a checkpoint and with an earlier mode', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const modes = () => [file, `${file}.wal`].map((path) => (statSync(path).mode & 0o777).toString(8));
    const database = await openTestDatabase({ file });
    const seen: string[][] = [];
    await database.write((connection) => connection.run('CREATE TABLE t (a INTEGER)'));
    seen.push(modes());
    await database.maintain((connection) => connection.run('CHECKPOINT'));
    await database.change((connection) => connection.run('INSERT INTO t VALUES (1)'));
    seen.push(modes());
    const to = join(temporaryFolder(), 'copy.db');
    chmodSync(file, 0o644);
    await database.backUp(to, new AbortController().signal);
    seen.push([(statSync(to).mode & 0o777).toString(8)]);
    await database.close();
    const again = await openTestDatabase({ file });
    await again.write((connection) => connection.run('INSERT INTO t VALUES (2)'));
    seen.push(modes());
    await again.close();
    expect(seen).to.deep.equal([['600', '600'], ['600', '600'], ['600'], ['600', '600']]);
  });

  it('interrupts running work, writes the log back and releases the file when it closes', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const database = await openTestDatabase({ file, closeGraceMs: 50 });
    await database.write((connection) => connection.run('CREATE TABLE t AS SELECT 1 AS a'));
    const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11';
    const reading = messageOf(database.query({ sql: endless }, [], { maxRows: 1, timeoutMs: 600_000 }));
    const writing = messageOf(database.write((connection) => connection.run(endless)));
    await Promise.all([database.close(), database.close()]);
    expect(await reading).to.contain('INTERRUPT');
    expect(await writing).to.contain('INTERRUPT');
    expect(existsSync(`${file}.wal`)).to.equal(false);
    const other = await startChild(file, 'await database.close(); console.log("opened");');
    expect(await other.line()).to.equal('opened');
  });

  it('has the last commit after a kill during a transaction', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const writer = await startChild(
      file,
      `await database.write((c) => c.run('CREATE TABLE t AS SELECT range AS a FROM range(1000)'));
       await database.write(async (c) => {
         await c.run('INSERT INTO t SELECT range FROM range(500000)');
         console.log('writing');
         process.stdin.resume();
         await new Promise(() => {});
       });`,
    );
    expect(await writer.line()).to.equal('writing');
    await writer.kill();
    const database = await openTestDatabase({ file });
    expect((await database.query(COUNT, [], SOON)).rows).to.deep.equal([[1000]]);
    await database.close();
  });

  it('reports a full disk and the stopped database, and has all commits when it is opened again', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const limited = await startChild(
      file,
      `const outcome = (work) => work.then(() => 'done', ({ code, message }) => code + ': ' + message);
       const read = () => database.query({ sql: 'SELECT a FROM t' }, [], { maxRows: 10, timeoutMs: 600_000 });
       const run = (sql) => database.maintain((connection) => connection.run(sql));
       const lines = [
         await outcome(run('CREATE TABLE t AS SELECT 1 AS a')),
         await outcome(run('CREATE TABLE u AS SELECT range AS a FROM range(100000)')),
         await outcome(read()),
         await outcome(run('CHECKPOINT')),
         await outcome(read()),
         await outcome(run('INSERT INTO t VALUES (2)')),
         await outcome(database.ping(600_000)),
       ];
       console.log(lines.join('|'));
       process.stdin.resume();`,
      200,
    );
    const full = 'database_unavailable: The database cannot store changes at the moment.';
    const stopped = 'database_unavailable: The database has stopped after a failed write. Restart the service.';
    expect((await limited.line()).split('|')).to.deep.equal(['done', full, 'done', stopped, stopped, stopped, stopped]);
    await limited.kill();
    const database = await openTestDatabase({ file });
    expect((await database.query({ sql: 'SELECT a FROM t' }, [], SOON)).rows).to.deep.equal([[1]]);
    await database.close();
  });
});

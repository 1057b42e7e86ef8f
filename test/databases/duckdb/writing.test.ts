import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../services/eventually.js';
import { messageOf } from '../failures.js';
import { child } from './child.js';
import { opened, temporaryFolder } from './opened.js';

const SOON = { maxRows: 10, timeoutMs: 20_000 };
const COUNT = { sql: 'SELECT count(*) FROM t' };

describe('writing to the embedded database', () => {
  it('keeps all of a transaction, or nothing when it throws', async () => {
    const database = await opened();
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

  it('answers queries with the last commit while a long transaction writes', async () => {
    const database = await opened();
    await database.write((connection) => connection.run('CREATE TABLE t AS SELECT range AS a FROM range(10)'));
    let answers = 0;
    let written = false;
    const writing = database.write(async (connection) => {
      for (let part = 0; part < 4; part++) await connection.run('INSERT INTO t SELECT range FROM range(1000000)');
      await eventually(20_000, () => answers > 3);
      written = true;
    });
    while (!written) {
      const { rows } = await database.query(COUNT, [], SOON);
      if (!written) {
        expect(rows).to.deep.equal([[10]]);
        answers++;
      }
    }
    await writing;
    expect((await database.query(COUNT, [], SOON)).rows).to.deep.equal([[4000010]]);
    await database.close();
  });

  it('reads text byte by byte, as it is written', async () => {
    const database = await opened();
    await database.write(async (connection) => {
      await connection.run("CREATE TABLE t AS SELECT unnest(['Ann', 'ann']) AS name");
    });
    const query = database.prepare(
      'SELECT SUM(name = :p1), SUM(LOWER(name) = LOWER(:p1)), COUNT(DISTINCT name), MIN(name) FROM t',
    );
    expect((await database.query(query, ['ann'], SOON)).rows).to.deep.equal([[1, 2, 2, 'Ann']]);
    await database.close();
  });

  it('finds a name in a column of small letters by its index', async () => {
    const database = await opened();
    await database.write(async (connection) => {
      await connection.run("CREATE TABLE t AS SELECT 'owner/repo' || range AS name, range AS id FROM range(300000)");
      await connection.run('CREATE INDEX t_name ON t (name)');
    });
    const query = database.prepare("SELECT id FROM t WHERE name = LOWER(CONCAT(:p1, '/', :p2))");
    const values = ['OWNER', 'repo4711'];
    expect((await database.query(query, values, SOON)).rows).to.deep.equal([[4711]]);
    const analysed = await database.query({ sql: `EXPLAIN ANALYZE ${query.sql}` }, values, SOON);
    expect(String(analysed.rows[0]?.[1])).to.match(/Index Scan/i);
    await database.close();
  });

  it('reads staged files, and no others, on the writing connection', async () => {
    const staging = temporaryFolder();
    const other = temporaryFolder();
    for (const folder of [staging, other]) writeFileSync(join(folder, 'a.json'), '{"a": 1}\n');
    const database = await opened({ stagingDirectory: staging });
    const readJson = (folder: string) => `SELECT a FROM read_json('${join(folder, 'a.json')}')`;
    const rows = await database.write(async (connection) =>
      (await connection.runAndReadAll(readJson(staging))).getRowsJson(),
    );
    expect(rows).to.deep.equal([['1']]);
    const refused = database.write((connection) => connection.run(readJson(other)));
    expect(await messageOf(refused)).to.contain('Permission Error');
    await database.close();
  });

  it('closes with what runs interrupted, the log written back and the file free', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const database = await opened({ file, closeGraceMs: 50 });
    await database.write((connection) => connection.run('CREATE TABLE t AS SELECT 1 AS a'));
    const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11';
    const reading = messageOf(database.query({ sql: endless }, [], { maxRows: 1, timeoutMs: 60_000 }));
    const writing = messageOf(database.write((connection) => connection.run(endless)));
    await Promise.all([database.close(), database.close()]);
    expect(await reading).to.contain('INTERRUPT');
    expect(await writing).to.contain('INTERRUPT');
    expect(existsSync(`${file}.wal`)).to.equal(false);
    const other = await child(file, 'await database.close(); console.log("opened");');
    expect(await other.line()).to.equal('opened');
  });

  it('has the last commit after being killed while it wrote', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const writer = await child(
      file,
      `await database.write((c) => c.run('CREATE TABLE t AS SELECT range AS a FROM range(1000)'));
       await database.write(async (c) => {
         await c.run('INSERT INTO t SELECT range FROM range(500000)');
         console.log('writing');
         await c.run('INSERT INTO t SELECT range FROM range(50000000)');
       });`,
    );
    expect(await writer.line()).to.equal('writing');
    await writer.kill();
    const database = await opened({ file });
    expect((await database.query(COUNT, [], SOON)).rows).to.deep.equal([[1000]]);
    await database.close();
  });

  it('tells that the disk is full, and what that has stopped; a new opening has all that was written', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const limited = await child(
      file,
      `const told = (work) => work.then(() => 'done', ({ code, message }) => code + ': ' + message);
       const read = () => database.query({ sql: 'SELECT a FROM t' }, [], { maxRows: 10, timeoutMs: 20_000 });
       const run = (sql) => database.maintain((connection) => connection.run(sql));
       const lines = [
         await told(run('CREATE TABLE t AS SELECT 1 AS a')),
         await told(run('CREATE TABLE u AS SELECT range AS a FROM range(100000)')),
         await told(read()),
         await told(run('CHECKPOINT')),
         await told(read()),
         await told(run('INSERT INTO t VALUES (2)')),
         await told(database.ping(1_000)),
       ];
       console.log(lines.join('|'));
       setInterval(() => {}, 1_000);`,
      200,
    );
    const full = 'database_unavailable: The database cannot store changes at the moment.';
    const stopped = 'database_unavailable: The database has stopped after a failed write. Restart the service.';
    expect((await limited.line()).split('|')).to.deep.equal(['done', full, 'done', stopped, stopped, stopped, stopped]);
    await limited.kill();
    const database = await opened({ file });
    expect((await database.query({ sql: 'SELECT a FROM t' }, [], SOON)).rows).to.deep.equal([[1]]);
    await database.close();
  });
});

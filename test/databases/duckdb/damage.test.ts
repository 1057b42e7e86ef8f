import { copyFile, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { checkBlocks, describeDamage } from '../../../engine/databases/duckdb/isolated/block-checksums.js';
import { errorOf } from '../failures.js';
import { openTestDatabase } from './open-test-database.js';

const HEADERS = 3 * 4_096;
const BLOCK = 262_144;
const LIMITS = { maxRows: 1, timeoutMs: 600_000 };

describe('a damaged database file', () => {
  let folder: string;
  let file: string;
  let blocks: number;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'damage-'));
    file = join(folder, 'good.db');
    const database = await openTestDatabase({ file });
    await database.write(async (connection) => {
      await connection.run('CREATE TABLE words AS SELECT n, md5(n::VARCHAR) AS word FROM range(40000) r(n)');
      await connection.run('CREATE INDEX by_word ON words (word)');
    });
    await database.close();
    ({ blocks } = await checkBlocks(file));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Flips one bit in a copy of the file. */
  const damaged = async (at: number) => {
    const copy = join(folder, `damaged-${at}.db`);
    await copyFile(file, copy);
    await flip(copy, at);
    return copy;
  };
  const queryOf = (database: EmbeddedDatabase) => database.query({ sql: 'SELECT MAX(word) FROM words' }, [], LIMITS);

  it('is found by the checksum of each header and each block', async () => {
    expect(await checkBlocks(file)).to.deep.equal({ blocks, damaged: [] });
    expect(blocks).to.be.above(5);
    for (let block = 0; block < blocks; block++) {
      // The damaged byte has a different position in each block, and can also be in the checksum.
      const copy = await damaged(HEADERS + block * BLOCK + ((block * 9_973) % BLOCK));
      expect(await checkBlocks(copy)).to.deep.equal({ blocks, damaged: [block] });
      expect(await checkBlocks(copy, [0])).to.deep.equal({ blocks: 1, damaged: block === 0 ? [0] : [] });
      await rm(copy);
    }
    for (const at of [20, 4_096 + 8, 8_192 + 40]) {
      expect(await checkBlocks(await damaged(at))).to.deep.equal({ blocks: 0, damaged: [-1] });
    }
    expect(describeDamage('The file', [-1])).to.equal(
      'The file is damaged: its headers do not match their checksums. Restore an earlier backup, or import again.',
    );
  });

  it('does not include free blocks that DuckDB counts but has never written', async () => {
    const words = (shift: number) => `SELECT n, md5((n + ${shift})::VARCHAR) AS word FROM range(20000) r(n)`;
    // In about one of ten files, DuckDB has written all blocks that it counts.
    for (let attempt = 0, counted = 0, written = 0; counted <= written; attempt++) {
      expect(attempt, 'files without such blocks').to.be.below(50);
      const shrunk = join(folder, `shrunk-${attempt}.db`);
      const instance = await DuckDBInstance.create(shrunk, { threads: '1' });
      const connection = await instance.connect();
      for (const sql of [
        `CREATE TABLE words AS ${words(0)}`,
        `BEGIN; DELETE FROM words; INSERT INTO words ${words(1)}; COMMIT`,
        `CREATE OR REPLACE TABLE words AS ${words(2)}`,
      ]) {
        await connection.run(sql);
        await connection.run('CHECKPOINT');
      }
      written = ((await stat(shrunk)).size - HEADERS) / BLOCK;
      const checked = await checkBlocks(shrunk);
      connection.closeSync();
      instance.closeSync();
      expect(checked.damaged).to.deep.equal([]);
      counted = checked.blocks;
    }
  });

  it('gives no backup, and is reported by a check', async () => {
    const block = Math.floor(blocks / 2);
    const copy = join(folder, 'open.db');
    await copyFile(file, copy);
    const database = await openTestDatabase({ file: copy });
    try {
      expect(await database.verify(new AbortController().signal)).to.deep.equal({ blocks, damaged: [] });
      await flip(copy, HEADERS + block * BLOCK + 5_000);
      expect(await database.verify(new AbortController().signal)).to.deep.equal({ blocks, damaged: [block] });
      const { message } = await errorOf(database.backUp(join(folder, 'backup.db'), new AbortController().signal));
      expect(message).to.equal(
        `${copy} is damaged: its blocks ${block} do not match their checksums. Restore an earlier backup, or import again. There is no new backup.`,
      );
    } finally {
      await database.close().catch(() => {});
      await rm(copy);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).to.deep.equal([]);
  });

  it('makes the database unavailable after a query that needs the block, with one notice', async () => {
    const notices: string[] = [];
    for (let block = 0; block < blocks; block++) {
      const copy = await damaged(HEADERS + block * BLOCK + 5_000);
      const database = await openTestDatabase({
        file: copy,
        access: 'read_only',
        onNotice: (text) => notices.push(text),
      }).catch(() => undefined);
      const failures = database && [await errorOf(queryOf(database)), await errorOf(queryOf(database))];
      const ping = database && (await errorOf(database.ping(600_000)));
      await database?.close();
      if (failures?.[0] === undefined) continue;
      for (const failure of [...failures, ping]) {
        expect(failure).to.include({ code: 'database_unavailable', message: 'The database file is damaged.' });
      }
      expect(notices).to.have.length(1);
      expect(notices[0]).to.match(
        /^\S+ is damaged: .*checksum.* Run `repo-insight data verify`, and restore a backup\.$/s,
      );
      return;
    }
    throw new Error('No block of the table was damaged.');
  });
});

describe('a database file that was removed while it is open', () => {
  it('is noticed by checks and by changes, also if another file has its name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'removed-'));
    const file = join(folder, 'one.db');
    const database = await openTestDatabase({ file });
    try {
      await database.write((connection) => connection.run('CREATE TABLE numbers AS SELECT 1 AS n'));
      await database.ping(600_000);
      await rename(file, join(folder, 'moved.db'));
      const changes = [
        () => database.ping(600_000),
        () => database.write((connection) => connection.run('INSERT INTO numbers VALUES (2)')),
        () => database.change((connection) => connection.run('INSERT INTO numbers VALUES (3)')),
      ];
      for (const change of changes) {
        const error = await errorOf(change());
        expect(error).to.include({
          code: 'database_unavailable',
          message: 'The database file was removed or replaced.',
        });
        expect((error.cause as Error).message).to.contain(`${file} was removed or replaced while it was open.`);
      }
      await copyFile(join(folder, 'moved.db'), file);
      expect((await errorOf(database.ping(600_000))).message).to.equal('The database file was removed or replaced.');
      await rename(join(folder, 'moved.db'), file);
      await database.ping(600_000);
    } finally {
      await database.close();
      await rm(folder, { recursive: true });
    }
    expect(await readFile(file).catch(({ code }: NodeJS.ErrnoException) => code)).to.equal('ENOENT');
  });
});

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 0x10;
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

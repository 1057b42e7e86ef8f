import { readFileSync, writeFileSync } from 'node:fs';
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
    expect(error.message).to.contain(`is held by process ${holder.pid} (`).and.to.contain('Stop that process');
    await holder.kill();
  });

  it('does not open a file twice in one process', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const database = await opened({ file });
    expect(await messageOf(opened({ file }))).to.contain(`is held by process ${process.pid}`);
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
});

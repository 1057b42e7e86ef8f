import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { openTestDatabase } from './open-test-database.js';

/** A file of its user can have types that the tables of this project do not have. MySQL has similar types. */
describe('columns with types of DuckDB', () => {
  let database: EmbeddedDatabase;
  before(async () => {
    database = await openTestDatabase();
    await database.write(async (connection) => {
      await connection.run(
        "CREATE TABLE jobs (id INT, state ENUM('open', 'done', 'closed'), is_paid BOOLEAN, head BLOB, info JSON)",
      );
      await connection.run(
        `INSERT INTO jobs VALUES (1, 'done', true, '\\x00', '{"a": 1}'), (2, 'open', false, NULL, NULL)`,
      );
      await connection.run(
        "CREATE TABLE shifts AS SELECT TIME '08:00:00' AS starts, TIMESTAMP '2024-02-29 08:00:00.5' AS at",
      );
    });
  });
  after(() => database.close());

  const limits = { maxRows: 10, timeoutMs: 600_000 };
  const ask = async (sql: string) =>
    database.query(database.prepare(sql), [], limits).then(
      ({ rows }) => rows,
      (error: Error) => error.message,
    );

  it('are ordered and compared as in MySQL, or rejected', async () => {
    expect(await ask('SELECT state FROM jobs ORDER BY state')).to.deep.equal([['open'], ['done']]);
    expect(await ask('SELECT MIN(CAST(state AS CHAR)), MAX(CAST(state AS CHAR)) FROM jobs')).to.deep.equal([
      ['done', 'open'],
    ]);
    for (const name of ['MIN', 'MAX', 'ANY_VALUE']) {
      expect(await ask(`SELECT ${name}(state) FROM jobs GROUP BY is_paid`)).to.equal(
        'MIN and MAX of an ENUM compare texts: write CAST(x AS CHAR)',
      );
    }
  });

  it('have the texts of MySQL', async () => {
    expect(
      await ask(
        "SELECT CONCAT(is_paid), CAST(is_paid AS CHAR), HEX(state), JSON_OBJECT('p', is_paid, 's', state), JSON_ARRAY(MAX(is_paid)) FROM jobs GROUP BY id, state, is_paid ORDER BY id",
      ),
    ).to.deep.equal([
      ['1', '1', '646F6E65', '{"p": 1, "s": "done"}', '[1]'],
      ['0', '0', '6F70656E', '{"p": 0, "s": "open"}', '[0]'],
    ]);
  });

  it('are not read as text if they are bytes', async () => {
    const calls = ['LEFT(head, 1)', "CONCAT(head, 'x')", 'UPPER(head)', 'CAST(head AS CHAR)', "JSON_OBJECT('h', head)"];
    for (const call of calls) {
      expect(await ask(`SELECT ${call} FROM jobs`), call).to.equal('bytes cannot be used as text: write HEX(x)');
    }
  });

  it('are described as JSON if they are JSON', async () => {
    const sql = database.prepare("SELECT info, JSON_EXTRACT(info, '$.a') AS a, JSON_VALUE(info, '$.a') AS b FROM jobs");
    expect(await database.describe?.(sql, { timeoutMs: 600_000 })).to.deep.equal([
      { name: 'info', type: 'JSON' },
      { name: 'a', type: 'JSON' },
      { name: 'b', type: 'VARCHAR' },
    ]);
  });

  it('have a message with the next step if times are used as dates or numbers', async () => {
    const time = 'a TIME is used as a date: write TIMESTAMP(day, x) for a DATETIME, or ADDTIME(CAST(x AS TIME), y)';
    expect(await ask('SELECT starts + INTERVAL 1 HOUR AS x FROM shifts')).to.equal(time);
    expect(await ask('SELECT DATE_ADD(starts, INTERVAL 30 MINUTE) AS x FROM shifts')).to.equal(time);
    expect(await ask("SELECT ADDTIME(CAST(starts AS TIME), '01:00:00') AS x FROM shifts")).to.deep.equal([
      ['09:00:00'],
    ]);
    expect(await ask('SELECT at + 0 AS x FROM shifts')).to.equal(
      'a DATETIME with a fraction of a second is used as a number: write CAST(x AS DATETIME), or TIMESTAMPDIFF',
    );
    expect(await ask('SELECT CAST(at AS DATETIME) + 0 AS x FROM shifts')).to.deep.equal([[20240229080001]]);
  });

  it('reject a DOUBLE that is too large for a DECIMAL', async () => {
    expect(await ask('SELECT CAST(1e300 AS DECIMAL(10, 2)) AS x')).to.equal('a number is out of range');
    expect(await ask('SELECT CAST(POW(id, -1) * 1e308 * 10 AS DECIMAL(10, 2)) AS x FROM jobs')).to.equal(
      'a number is out of range',
    );
  });
});

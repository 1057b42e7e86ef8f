import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { parseMysqlUrl } from '../../../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../../../engine/databases/mysql/connection/connection-options.js';
import { flavorOf, statementTimeout } from '../../../engine/databases/mysql/connection/flavor.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { type WatchSilence, WriteConnection } from '../../../engine/databases/mysql/write-connection.js';
import { eventually } from '../../services/eventually.js';
import { startMariaDb } from '../../services/mariadb.js';
import { execute, needServer, withDatabase } from '../../services/mysql.js';
import { type DatabaseServer, describeExceptOnTidb } from '../../services/server.js';
import { startTcpProxy } from '../../services/tcp-proxy.js';
import { loggedOf, messageOf } from '../failures.js';
import { createCertificate } from './certificate.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };
const FORM = 'mysql://user:password@host:port/database?ssl=true';

describe('the URL of a MySQL-protocol database', () => {
  it('contains the address, the login and the encryption', () => {
    const plain = { host: 'db', port: 3306, user: 'u', password: '', database: 'insight', ssl: 'false', sslFiles: {} };
    expect(parseMysqlUrl('mysql://u@db/insight')).to.deep.equal(plain);
    expect(
      parseMysqlUrl('mysql://us%40er:p%2Fa%3As%23s%25@[::1]:4000/a%20b?ssl=unverified&ssl_ca=/etc/ca.pem'),
    ).to.deep.equal({
      host: '::1',
      port: 4000,
      user: 'us@er',
      password: 'p/a:s#s%',
      database: 'a b',
      ssl: 'unverified',
      sslFiles: { ca: '/etc/ca.pem' },
    });
    expect(parseMysqlUrl('mysql://u@db/i?ssl_cert=c&ssl_key=k').ssl, 'files alone').to.equal('true');
  });

  it('is rejected if it is invalid, without its password in the error', () => {
    const cases: Record<string, string> = {
      'postgres://u:secret@db/i': 'the scheme mysql:, got "postgres:"',
      'u:secret@db/i': 'the scheme mysql:, got "u:"',
      'mysql://u:sec#ret@db/i': 'a URL with percent-encoded special characters, got "an invalid URL"',
      'mysql://u:secret@:3306/i': 'a URL with percent-encoded special characters, got "an invalid URL"',
      'mysql://u:secret@db:port/i': 'a URL with percent-encoded special characters, got "an invalid URL"',
      'mysql://db/i': 'a user, got ""',
      'mysql://u:secret@db': 'a database after the host, such as /insight, got ""',
      'mysql://u:secret@db/': 'a database after the host, such as /insight, got "/"',
      'mysql://u:secret@db/i/j': 'a database after the host, such as /insight, got "/i/j"',
      'mysql://u:secret%@db/i':
        'a percent-encoded password (encode % as %25), got "a % without two hexadecimal digits"',
      'mysql://u:secret@db/i?sll=true': 'only the options ssl, ssl_ca, ssl_cert, ssl_key, got "sll"',
      'mysql://u:secret@db/i?ssl=yes': 'one of true, false, unverified for ssl, got "yes"',
      'mysql://u:secret@db/i?ssl=true&ssl=false': 'ssl only once, got "two values"',
      'mysql://u:secret@db/i?ssl=': 'a value for ssl, got ""',
      'mysql://u:secret@db/i?ssl=false&ssl_ca=ca': 'ssl=true with certificate files, got "ssl=false"',
      'mysql://u:secret@10.0.0.1/i?ssl=true':
        'a host name and no IP address, because ssl=true checks the name, got "10.0.0.1"',
      'mysql://u:secret@db/i?ssl_key=k': 'both ssl_cert and ssl_key, got "only one of them"',
    };
    for (const [url, message] of Object.entries(cases)) {
      expect(() => parseMysqlUrl(url), url)
        .to.throw(Error, `${FORM}: expected ${message}`)
        .and.not.match(/sec/);
    }
  });

  it('works for servers with different statements for the time limit', () => {
    const versions = ['8.0.36', '10.11.6-MariaDB-1', '5.5.5-10.6.12-MariaDB', '8.0.11-TiDB-v7.5.0'];
    expect(versions.map(flavorOf)).to.deep.equal(['mysql', 'mariadb', 'mariadb', 'tidb']);
    expect(statementTimeout('mariadb', 500)).to.equal('SET SESSION max_statement_time = 1');
    expect(statementTimeout('mysql', 5_000)).to.equal('SET SESSION max_execution_time = 8000');
    expect(statementTimeout('tidb', 10_000)).to.equal('SET SESSION max_execution_time = 16000');
  });
});

describeExceptOnTidb(
  'the settings of the server are those of MariaDB',
  'connecting to a MySQL-protocol database',
  () => {
    needServer();
    const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    let server: DatabaseServer;
    let url: string;

    before(async () => {
      createCertificate(folder);
      server = await startMariaDb([
        `--ssl-cert=${folder}/cert.pem`,
        `--ssl-key=${folder}/key.pem`,
        '--default-time-zone=+05:30',
        '--character-set-server=latin1',
        '--collation-server=latin1_swedish_ci',
        '--sql-mode=ANSI_QUOTES,PIPES_AS_CONCAT,ONLY_FULL_GROUP_BY',
        '--group-concat-max-len=4',
        '--div-precision-increment=0',
        '--autocommit=OFF',
        '--completion-type=RELEASE',
        '--default-storage-engine=MyISAM',
        '--default-week-format=3',
        '--lc-time-names=de_DE',
        '--max-join-size=10',
        '--max-sort-length=64',
        '--sql-safe-updates=ON',
        '--transaction-isolation=READ-UNCOMMITTED',
      ]);
      // This variable cannot be set on the command line of the server.
      await execute(server.url, 'SET GLOBAL sql_select_limit = 2');
      await execute(server.url, 'SET GLOBAL max_statement_time = 400', 'SET GLOBAL idle_transaction_timeout = 400');
      await execute(server.url, 'CREATE DATABASE i');
      url = withDatabase(server.url, 'i').replace('127.0.0.1', 'localhost');
    });
    after(async () => {
      await server?.remove();
      rmSync(folder, { recursive: true });
    });

    const cipherWith = async (options: string, address = url) => {
      const database = await openMysql({ url: `${address}${options}`, allowWritingAccount: true });
      try {
        const sql =
          "SELECT VARIABLE_VALUE AS v FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'";
        return (await database.query({ sql }, [], SOON)).rows[0]?.[0];
      } finally {
        await database.close();
      }
    };

    it('encrypts the connection and checks the certificate as the URL says', async () => {
      expect(await cipherWith('')).to.equal('');
      expect(await cipherWith(`?ssl=true&ssl_ca=${folder}/cert.pem`)).to.match(/^TLS_|AES|CHACHA/);
      expect(await cipherWith('?ssl=unverified')).to.match(/^TLS_|AES|CHACHA/);
      const rejection = 'the check of its certificate or encryption failed';
      expect(await loggedOf(cipherWith('?ssl=true')), 'an unknown authority').to.contain(rejection);
      const another = cipherWith(`?ssl=true&ssl_ca=${folder}/cert.pem`, url.replace('localhost', '127.1'));
      expect(await loggedOf(another), 'another name').to.contain(rejection);
      expect(await loggedOf(cipherWith('?ssl=true&ssl_ca=/nowhere.pem'))).to.contain(
        'expected a readable file for ssl_ca, got "/nowhere.pem (ENOENT',
      );
    });

    it('closes a connection whose server stalls, also with encryption', async () => {
      const proxy = await startTcpProxy(server.port);
      const through = `${url.replace(/localhost:\d+/, `127.0.0.1:${proxy.port}`)}?ssl=unverified`;
      let reportSilence = () => {};
      const watchSilence: WatchSilence = (_socket, onSilence) => {
        reportSilence = onSilence;
        return () => undefined;
      };
      const limits = { silenceMs: 1_500, watchSilence };
      const writer = await WriteConnection.open(await connectionOptions(parseMysqlUrl(through)), limits);
      try {
        await writer.run('CREATE TABLE lines_taken (i INT)');
        const lines = Readable.from(endless());
        const load = "LOAD DATA LOCAL INFILE 'rows' INTO TABLE lines_taken";
        const loading = messageOf(writer.load(load, () => lines.once('data', () => proxy.stall())));
        await eventually(() => lines.isPaused());
        reportSilence();
        expect(await loading).to.contain('The database did not respond for 1.5 s');
        expect(proxy.connections, 'connections that the proxy stalled').to.equal(1);
        lines.destroy();
      } finally {
        writer.destroy();
        await proxy.close();
      }
    });

    it('sets up the same session on a server with other settings', async () => {
      const database = await openMysql({ url, allowWritingAccount: true });
      const sql = `SELECT NOW() = UTC_TIMESTAMP() AS a, "text" AS b, 1 || 0 AS c, 'a' = 'A' AS d, 7 / 2 AS e,
      LENGTH(GROUP_CONCAT('\u{1f600}')) AS f, UNIX_TIMESTAMP('1970-01-02') AS g, t.x AS h, HEX('\u{1f600}') AS i
      FROM (SELECT 1 AS x UNION ALL SELECT 1 UNION ALL SELECT 1) t`;
      const { rows } = await database.query({ sql }, [], SOON);
      expect(rows).to.deep.equal([[1, 'text', 1, 0, '3.5000', 14, 86400, 1, 'F09F9880']]);
      const days = `WITH RECURSIVE d AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 5000) SELECT COUNT(*) AS n FROM d`;
      expect((await database.query({ sql: days }, [], SOON)).rows).to.deep.equal([[5000]]);
      const names =
        "SELECT MONTHNAME('2016-05-01') AS a, WEEK('2016-01-01') AS b UNION ALL SELECT 2, 2 UNION ALL SELECT 3, 3";
      expect((await database.query({ sql: names }, [], SOON)).rows).to.deep.equal([
        ['May', 0],
        ['2', 2],
        ['3', 3],
      ]);
      const long = `SELECT RANK() OVER (ORDER BY x) AS place FROM
      (SELECT CONCAT(REPEAT('\u{1f600}', 2000), 'b') AS x UNION ALL SELECT CONCAT(REPEAT('\u{1f600}', 2000), 'a')) t ORDER BY x`;
      expect((await database.query({ sql: long }, [], SOON)).rows).to.deep.equal([[1], [2]]);
      await database.close();
    });

    it('sees commits of others, and no uncommitted rows, on a server with other transaction settings', async () => {
      const database = await openMysql({ url, allowWritingAccount: true, connections: 1 });
      const writer = await WriteConnection.open(await connectionOptions(parseMysqlUrl(url)));
      const readRows = async () => (await database.query({ sql: 'SELECT i FROM written ORDER BY i' }, [], SOON)).rows;
      try {
        const limits = 'SELECT @@SESSION.max_statement_time, @@SESSION.idle_transaction_timeout';
        expect((await writer.rows(limits))[0]?.map(Number), 'no limits of time').to.deep.equal([0, 0]);
        await writer.run('CREATE TABLE written (i INT)');
        await writer.run('START TRANSACTION');
        await writer.run('INSERT INTO written VALUES (1), (2), (3)');
        expect(await readRows()).to.deep.equal([]);
        await writer.run('COMMIT');
        expect(await readRows()).to.deep.equal([[1], [2], [3]]);
        await writer.run('DELETE FROM written');
        expect(await readRows()).to.deep.equal([]);
      } finally {
        await writer.end();
        await database.close();
      }
    });
  },
);

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.from('1\n'.repeat(10_000));
}

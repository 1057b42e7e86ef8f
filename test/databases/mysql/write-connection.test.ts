import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { parseMysqlUrl } from '../../../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../../../engine/databases/mysql/connection/connection-options.js';
import { acquireLock } from '../../../engine/databases/mysql/named-lock.js';
import {
  type WatchSilence,
  WriteConnection,
  type WriteLimits,
} from '../../../engine/databases/mysql/write-connection.js';
import { eventually } from '../../services/eventually.js';
import { execute, useMysql } from '../../services/mysql.js';
import { IS_TIDB } from '../../services/server.js';
import { startTcpProxy, type TcpProxy } from '../../services/tcp-proxy.js';
import { errorOf, messageOf } from '../failures.js';

const STALLED =
  'The database did not respond for 1 s, so the connection was closed. Uncommitted changes are rolled back. ' +
  'Check the database, then run it again.';
const LOAD = "LOAD DATA LOCAL INFILE 'rows' INTO TABLE written";

describe('a connection that writes to a MySQL-protocol database', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  let connection: WriteConnection;
  /** The silence timeouts that were set for `connection`, in order. */
  let limits: number[];
  /** Simulates that the network of `connection` was silent for its timeout. */
  let reportSilence: () => void;
  const watchSilence: WatchSilence = (_socket, onSilence) => {
    limits = [];
    reportSilence = onSilence;
    return (ms) => limits.push(ms);
  };

  const open = async (port: number, options: WriteLimits = {}) => {
    const url = new URL(server.url);
    url.port = String(port);
    return WriteConnection.open(await connectionOptions(parseMysqlUrl(url.href)), options);
  };
  const written = async () => (await execute(server.url, 'SELECT COUNT(*) AS n FROM written'))[0]?.n;

  before(() => execute(server.url, 'CREATE TABLE written (i INT)'));
  beforeEach(async () => {
    proxy = await startTcpProxy(Number(new URL(server.url).port));
    connection = await open(proxy.port, { silenceMs: 1_000, watchSilence });
  });
  afterEach(async () => {
    connection.destroy();
    await proxy.close();
    await execute(server.url, 'DELETE FROM written');
  });

  it('ends a statement when the server stalls, and its transaction is rolled back', async () => {
    await connection.run('START TRANSACTION');
    await connection.run('INSERT INTO written VALUES (1)');
    proxy.stall();
    const stalled = messageOf(connection.rows('SELECT COUNT(*) FROM written'));
    expect(limits.at(-1)).to.equal(1_000);
    reportSilence();
    expect(await stalled).to.equal(STALLED);
    expect(connection.isOpen).to.equal(false);
    proxy.resume();
    await eventually(() => proxy.connections === 0);
    expect(await written()).to.equal(0);
    await execute(server.url, 'ALTER TABLE written COMMENT = "not locked"');
  });

  it('ends a file that the server stops reading', async () => {
    const lines = Readable.from(endless());
    const load = messageOf(connection.load(LOAD, () => lines.once('data', () => proxy.stall())));
    // The driver pauses reading the file when it cannot send more.
    await eventually(() => lines.isPaused());
    reportSilence();
    expect(await load).to.equal(STALLED);
    lines.destroy();
  });

  it('ends a file if the server does not confirm its end', async () => {
    const lines = Readable.from([Buffer.from('1\n')]);
    const load = messageOf(connection.load(LOAD, () => lines.once('data', () => proxy.stall())));
    await eventually(() => lines.readableEnded);
    reportSilence();
    expect(await load).to.equal(STALLED);
  });

  it('waits for the rows of a slow file, and stays open while it is idle', async () => {
    const pieces = async function* () {
      for (const piece of ['1\n', '2\n']) {
        reportSilence();
        yield Buffer.from(piece);
      }
    };
    await connection.load(LOAD, () => Readable.from(pieces()));
    expect(limits.at(-1), 'no limit while it is idle').to.equal(0);
    expect(await connection.rows('SELECT COUNT(*) FROM written')).to.deep.equal([[2]]);
  });

  it('waits for a lock up to the given time', async () => {
    const other = await open(Number(new URL(server.url).port));
    try {
      expect(await acquireLock(other, server.name, 0)).to.equal(undefined);
      expect(await acquireLock(connection, server.name, 1)).to.match(
        IS_TIDB ? /^another process$/ : /^the process at /,
      );
      expect(limits, 'the time of the wait is added to the limit of silence').to.include(2_000);
    } finally {
      other.destroy();
    }
  });

  it('rejects a server that accepts the connection and then stalls', async () => {
    const mute = createServer((client) => {
      const onward = connect(Number(new URL(server.url).port), '127.0.0.1');
      onward.once('data', (greeting) => client.write(greeting));
      client.once('data', (login) => {
        onward.write(login);
        onward.once('data', (welcome) => client.write(welcome));
      });
      client.on('close', () => onward.destroy());
    });
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    try {
      const error = await errorOf(open((mute.address() as AddressInfo).port, { connectTimeoutMs: 200 }));
      expect(error).to.include({ code: 'ETIMEDOUT' });
    } finally {
      mute.close();
    }
  });
});

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.from('1\n'.repeat(10_000));
}

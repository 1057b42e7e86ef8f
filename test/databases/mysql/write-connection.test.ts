import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { parseMysqlUrl } from '../../../databases/mysql/connection/address.js';
import { connectionOptions } from '../../../databases/mysql/connection/connection-options.js';
import { acquireLock } from '../../../databases/mysql/named-lock.js';
import { WriteConnection, type WriteLimits } from '../../../databases/mysql/write-connection.js';
import { eventually } from '../../services/eventually.js';
import { execute, useMysql } from '../../services/mysql.js';
import { IS_TIDB } from '../../services/server.js';
import { startTcpProxy, type TcpProxy } from '../../services/tcp-proxy.js';
import { errorOf, messageOf } from '../failures.js';

const SILENCE = { silenceMs: 1_000 };
const SILENT = 'The database was silent for 1 s, so the connection was cut; what was not committed is undone.';
const LOAD = "LOAD DATA LOCAL INFILE 'rows' INTO TABLE written";

describe('a connection that writes to a MySQL-protocol database', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  let connection: WriteConnection;

  const open = async (port: number, limits: WriteLimits = SILENCE) => {
    const url = new URL(server.url);
    url.port = String(port);
    return WriteConnection.open(await connectionOptions(parseMysqlUrl(url.href)), limits);
  };
  const written = async () => (await execute(server.url, 'SELECT COUNT(*) AS n FROM written'))[0]?.n;

  before(() => execute(server.url, 'CREATE TABLE written (i INT)'));
  beforeEach(async () => {
    proxy = await startTcpProxy(Number(new URL(server.url).port));
    connection = await open(proxy.port);
  });
  afterEach(async () => {
    connection.destroy();
    await proxy.close();
    await execute(server.url, 'DELETE FROM written');
  });

  it('gives up a statement when the server has been silent, and nothing of its transaction stays', async () => {
    await connection.run('START TRANSACTION');
    await connection.run('INSERT INTO written VALUES (1)');
    proxy.stall();
    expect(await messageOf(connection.rows('SELECT COUNT(*) FROM written'))).to.equal(SILENT);
    expect(connection.isOpen).to.equal(false);
    proxy.resume();
    await eventually(20_000, () => proxy.connections === 0);
    expect(await written()).to.equal(0);
    await execute(server.url, 'ALTER TABLE written COMMENT = "nobody holds it"');
  });

  it('gives up a file that the server does not take any more', async () => {
    const lines = Readable.from(endless());
    const load = connection.load(LOAD, () => lines.once('data', () => proxy.stall()));
    expect(await messageOf(load)).to.equal(SILENT);
    lines.destroy();
  });

  it('gives up a file whose end the server does not answer', async () => {
    const load = connection.load(LOAD, () => Readable.from([Buffer.from('1\n')]).once('data', () => proxy.stall()));
    expect(await messageOf(load)).to.equal(SILENT);
  });

  it('waits as long as it takes to make the rows of a file, and stays open when nobody asks anything', async () => {
    const idle = await open(proxy.port);
    try {
      await connection.load(LOAD, () => Readable.from(slowly(['1\n', '2\n'], 1.2 * SILENCE.silenceMs)));
      expect(await idle.rows('SELECT COUNT(*) FROM written')).to.deep.equal([[2]]);
    } finally {
      idle.destroy();
    }
  });

  it('waits for a lock as long as it is told to', async () => {
    const other = await open(Number(new URL(server.url).port));
    try {
      expect(await acquireLock(other, server.name, 0)).to.equal(undefined);
      expect(await acquireLock(connection, server.name, 2)).to.match(
        IS_TIDB ? /^another process$/ : /^the process at /,
      );
      expect(connection.isOpen).to.equal(true);
    } finally {
      other.destroy();
    }
  });

  it('gives up a server that lets it in and then says nothing', async () => {
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
      expect(error).to.include({ message: 'the server did not answer in time', code: 'ETIMEDOUT' });
    } finally {
      mute.close();
    }
  });
});

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.from('1\n'.repeat(10_000));
}

async function* slowly(pieces: readonly string[], ms: number): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    await pause(ms);
    yield Buffer.from(piece);
  }
}

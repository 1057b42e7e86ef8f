import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { execute, needServer, useMysql } from './mysql.js';
import { startServer } from './server.js';

describe('servers for tests', () => {
  const database = useMysql();
  needServer();

  it('give every suite an empty database', async () => {
    expect(await execute(database.url, 'SHOW TABLES')).to.deep.equal([]);
  });

  it('keep data and port when they are killed and started again, and leave nothing when removed', async () => {
    const server = await startServer();
    await execute(server.url, 'CREATE DATABASE kept');
    const { port } = server;
    await server.kill();
    await server.restart();
    expect(server.port).to.equal(port);
    expect(await execute(server.url, "SHOW DATABASES LIKE 'kept'")).to.have.length(1);
    await server.stop();
    await server.remove();
    expect(existsSync(server.folder)).to.equal(false);
  });
});

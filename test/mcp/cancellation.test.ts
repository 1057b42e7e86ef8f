import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { type DemoService, startDemoService, tokenOf } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { execute, useMysql, withDatabase } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { call, connectHttp, connectStdio, VERSIONS } from './mcp-client.js';

/** Reads a view that sleeps. The time limit of the definition is so long that it is never reached in a test. */
const definitionOf = (name: string, timeout: string) => `name: ${name}
summary: Repositories
limits: { timeout: ${timeout} }
params:
  after: { in: query, type: integer, default: 0, description: Smaller ids are skipped. }
columns:
  - { col: repo_id, data_type: BIGINT, nullable: false, description: Id }
sql: SELECT repo_id FROM mv_trending_repos WHERE repo_id > {{ after }} ORDER BY repo_id
`;

describe('calls of tools on a server', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  let demo: DemoService;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-mcp-'));
    await writeFile(join(folder, 'endless.yaml'), definitionOf('endless', '2m'));
    await writeFile(join(folder, 'short.yaml'), definitionOf('short', '1s'));
    const url = new URL(server.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    demo = await startDemoService({
      ...server.environment,
      DATABASE_URL: url.href,
      ENDPOINTS_DIR: `${FEW_ENDPOINTS},${folder}`,
    });
    const slow =
      'CREATE VIEW mv_trending_repos AS SELECT k.* FROM kept_trends k JOIN (SELECT SLEEP(600) AS slept) s WHERE slept = 0';
    await execute(server.url, 'RENAME TABLE mv_trending_repos TO kept_trends', slow);
  });
  after(async () => {
    await demo.close();
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  const running = async () => {
    const [{ n } = {}] = await execute(
      withDatabase(server.url, ''),
      `SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = '${server.name}' AND info LIKE '%mv_trending_repos%'`,
    );
    return Number(n);
  };

  /** Calls a tool that would run for minutes, and stops the call with `stop` while its statement is running. */
  const stopCall = async (client: Client, stop: (controller: AbortController) => Promise<void>) => {
    // After this answer, the server process has started.
    await client.listTools();
    const controller = new AbortController();
    const ended = call(client, 'endless', {}, controller.signal).then(
      () => 'answered',
      () => 'stopped',
    );
    await eventually(async () => (await running()) > 0);
    await stop(controller);
    await eventually(async () => (await running()) === 0);
    expect(await ended).to.equal('stopped');
  };
  const cancel = async (controller: AbortController) => controller.abort(new Error('not needed'));

  for (const version of VERSIONS) {
    it(`stop their statement if the client cancels them over HTTP (${version})`, async () => {
      const client = await connectHttp(demo, version);
      await stopCall(client, cancel);
      await client.close();
    });

    it(`stop their statement if the client disconnects from HTTP (${version})`, async () => {
      const client = await connectHttp(demo, version);
      await stopCall(client, () => client.close());
    });
  }

  it('stop their statement if the client cancels them over standard input of a forwarder', async () => {
    // The forwarder itself speaks the newest version with the service.
    const forwarded = await connectStdio({}, '2025-11-25', ['--url', `${demo.service.url}/mcp`]);
    await stopCall(forwarded, cancel);
    await forwarded.close();
  });

  it('stop their statement if the client cancels them over standard input, or closes it', async () => {
    const client = await connectStdio({ ...server.environment, ENDPOINTS_DIR: folder });
    await stopCall(client, cancel);
    await stopCall(client, () => client.close());
  });

  it('are not stopped by another client that cancels a request with the same id', async () => {
    const client = await connectHttp(demo, '2025-11-25');
    const other = await connectHttp(demo, '2025-11-25');
    const [mine, theirs] = [new AbortController(), new AbortController()];
    const ended = call(client, 'endless', {}, mine.signal).catch(() => 'stopped');
    await eventually(async () => (await running()) === 1);
    // Both clients number their requests from 0, so the ids are equal.
    const cancelled = call(other, 'endless', { after: 1 }, theirs.signal).catch(() => 'stopped');
    await eventually(async () => (await running()) === 2);
    await cancel(theirs);
    expect(await cancelled).to.equal('stopped');
    await eventually(async () => (await running()) === 1);
    expect((await demo.get('/healthy/')).status).to.equal(200);
    expect(await running()).to.equal(1);
    await cancel(mine);
    expect(await ended).to.equal('stopped');
    await Promise.all([client.close(), other.close()]);
  });

  it('are not stopped by another user who knows the session', async () => {
    const headersOf = async (login: string) => ({ Authorization: `Bearer ${await tokenOf(login)}` });
    const owner = await connectHttp(demo, '2025-11-25', await headersOf('owner'));
    const { sessionId = '' } = owner.transport as StreamableHTTPClientTransport;
    expect(sessionId).to.match(/^[0-9a-f-]{36}$/);
    const ended = call(owner, 'endless').catch(() => undefined);
    await eventually(async () => (await running()) === 1);
    const cancelAs = async (headers: Record<string, string>) => {
      const common = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      for (const requestId of [0, 1, 2, 3]) {
        const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
        const { status } = await fetch(`${demo.service.url}/mcp`, {
          method: 'POST',
          headers: { ...common, 'Mcp-Session-Id': sessionId, ...headers },
          body: JSON.stringify(message),
        });
        expect(status).to.equal(202);
      }
    };
    await cancelAs(await headersOf('other'));
    await cancelAs({});
    await cancelAs({ Authorization: 'Bearer wrong' });
    expect(await running()).to.equal(1);
    await cancelAs(await headersOf('owner'));
    await eventually(async () => (await running()) === 0);
    await ended;
    await owner.close();
  });

  it('are errors if the time limit of the definition ends, or if the database is away', async () => {
    const client = await connectHttp(demo);
    const late = await call(client, 'short');
    expect([late.isError, late.text]).to.deep.equal([
      true,
      'Error query_timeout: The query was stopped at its time limit of 1000 ms.',
    ]);
    await proxy.close();
    const away = await call(client, 'list-repos-of-collection', { collection_id: 1 });
    expect([away.isError, away.text]).to.deep.equal([
      true,
      'Error database_unavailable: The database cannot be reached.',
    ]);
    const resource = await client.readResource({ uri: 'repo-insight://coverage' }).catch((error: unknown) => error);
    expect(resource).to.have.property('message', 'database_unavailable: The database cannot be reached.');
    await client.close();
  });
});

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { run, runProcess, startWithInput, stopAll } from '../cli/command-line.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { type DemoService, startDemoService, tokenOf } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { call, connectHttp, connectStdio } from './mcp-client.js';

/** The folders of the definitions, including one with a paged list. */
const FOLDERS = [
  FEW_ENDPOINTS,
  fileURLToPath(new URL('../../../endpoints/repos/issue-creators', import.meta.url)),
].join();

describe('the command mcp', () => {
  let demo: DemoService;
  let folder: string;
  let environment: Record<string, string>;
  const clients: Client[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  before(async () => {
    demo = await startDemoService({ ENDPOINTS_DIR: FOLDERS });
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-mcp-'));
    environment = { DATA_DIR: folder, NOW, ENDPOINTS_DIR: FOLDERS };
    await copyDemo(readSettings(environment), { events: 500 });
  });
  after(async () => {
    stopAll();
    await demo?.close();
    await rm(folder, { recursive: true });
  });

  it('serves the definitions from the database, without questions', async () => {
    const [local, remote] = await Promise.all([connectStdio(environment), connectHttp(demo)]);
    clients.push(local, remote);
    const namesOf = async (client: typeof local) => (await client.listTools()).tools.map(({ name }) => name);
    expect([...(await namesOf(local)), 'ask_question']).to.have.members(await namesOf(remote));
    const [owner, repo] = demo.repository.split('/');
    for (const [name, given] of [
      ['list-collections', {}],
      ['list-issue-creators', { owner, repo, page_size: 2 }],
      ['run_sql', { sql: 'SELECT COUNT(*) AS events FROM github_events' }],
    ] as const) {
      const [here, there] = [await call(local, name, given), await call(remote, name, given)];
      // Each process signs cursors with a different secret, so cursors are not compared.
      const cursors = 'next_cursor' in here.content ? { next_cursor: there.content.next_cursor } : {};
      expect({ ...here.content, ...cursors }, name).to.deep.equal(there.content);
    }
    const wrong = await call(local, 'list-issue-creators', { owner: 5 });
    expect(wrong.text).to.equal(
      'Error bad_parameter:\n- owner must be a text, got 5\n- repo must be text of 1 to 100 characters, got nothing',
    );
    expect(await local.listResources()).to.deep.include({ resources: (await remote.listResources()).resources });
  });

  it('forwards to a service, with the token of a file', async () => {
    const file = join(folder, 'token');
    await writeFile(file, `${await tokenOf('octavia')}\n`);
    const client = await connectStdio({}, '2025-11-25', ['--url', `${demo.service.url}/mcp`, '--token-file', file]);
    const { content } = await call(client, 'ask_question', { question: 'List all collections' });
    expect(content.definition).to.deep.equal({ name: 'list-collections', parameters: {} });
    expect((await call(client, 'list-collections')).content.rows).to.deep.equal(content.rows);
    const unknown = await call(client, 'list-colections').catch((error: unknown) => error);
    expect(unknown).to.have.property(
      'message',
      'There is no tool "list-colections" (did you mean "list-collections"?).',
    );
    await client.close();
  });

  it('writes only messages to standard output, answers wrong lines in a clear way, and ends with its input', async () => {
    const { child, ended, out, err } = startWithInput(['mcp'], {
      environment: { ...environment, ENDPOINTS_DIR: FEW_ENDPOINTS },
    });
    const lines = [
      'no json',
      'null',
      '[]',
      '['.repeat(40_000) + ']'.repeat(40_000),
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'nope' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'list-collections' } },
    ];
    for (const line of lines) child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    while (!out().includes('"id":3')) {
      const outcome = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended]);
      if (outcome !== undefined) throw new Error(`ended with ${outcome.code}: ${outcome.err}`);
    }
    child.stdin.end();
    expect((await ended).code).to.equal(0);
    const messages = out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; error?: { code: number } });
    expect(messages.map(({ id, error }) => [id, error?.code])).to.have.deep.members([
      [1, undefined],
      [2, -32601],
      [3, undefined],
    ]);
    expect(err()).to.include('10 endpoints').and.to.include('A line of the input is not a message of JSON-RPC 2.0.');
  });

  it('names the running service that has the database file open', async () => {
    const { code, err, out } = await runProcess(['mcp'], { environment: { DATA_DIR: demo.folder } });
    expect([code, out]).to.deep.equal([2, '']);
    expect(err).to.match(
      /is in use by process \d+\. If it is the running service, forward to it: repo-insight mcp --url http:\/\/127\.0\.0\.1:3450\/mcp\n$/,
    );
  });

  it('cannot start without a database, a service or a token', async () => {
    const errorOf = async (...words: string[]) => {
      const { code, err, out } = await run(['mcp', ...words], {
        environment: { DATA_DIR: join(folder, 'none') },
      });
      expect([code, out]).to.deep.equal([2, '']);
      return err.trim();
    };
    expect(await errorOf()).to.match(/^There is no database .* yet\./);
    expect(await errorOf('--url', 'abc')).to.equal('--url must be a URL such as http://127.0.0.1:3450/mcp, got "abc"');
    expect(await errorOf('--url', 'http://127.0.0.1:1/mcp')).to.match(
      /^The service at http:\/\/127\.0\.0\.1:1\/mcp cannot be reached: /,
    );
    expect(await errorOf('--url', `${demo.service.url}/nothing`)).to.match(/cannot be reached: .*route_not_found/);
    expect(await errorOf('--token-file', 'token')).to.equal('--token-file needs --url: only a service has users.');
    const file = join(folder, 'two-tokens');
    await writeFile(file, 'one\ntwo\n');
    expect(await errorOf('--url', `${demo.service.url}/mcp`, '--token-file', file)).to.equal(
      `${file} must contain one token and nothing else.`,
    );
  });
});

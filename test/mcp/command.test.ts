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
import { type DemoService, startDemoService, tokenOf, waitForPlayground } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { call, connectHttp, connectStdio } from './mcp-client.js';

/** A message that the process writes. */
interface Message {
  readonly id: number;
  readonly error?: { readonly code: number };
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly resources?: readonly unknown[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
}

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
    await waitForPlayground(demo);
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-mcp-'));
    environment = { DATA_DIR: folder, NOW, ENDPOINTS_DIR: FOLDERS };
    await copyDemo(readSettings(environment), { events: 500 });
  });
  after(async () => {
    stopAll();
    await demo?.close();
    await rm(folder, { recursive: true });
  });

  it('serves the definitions from the database, without questions, and writes only messages to standard output', async () => {
    const remote = await connectHttp(demo);
    clients.push(remote);
    const local = startWithInput(['mcp'], { environment });
    const messages = () =>
      local
        .out()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Message);
    const write = (line: string) => local.child.stdin.write(`${line}\n`);
    let sent = 0;
    /** Sends a request and waits for the message with the same id. */
    const request = async (method: string, params: object = {}): Promise<Message> => {
      sent += 1;
      const id = sent;
      write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      for (;;) {
        const message = messages().find((one) => one.id === id);
        if (message !== undefined) return message;
        const outcome = await Promise.race([once(local.child.stdout, 'data').then(() => undefined), local.ended]);
        if (outcome !== undefined) throw new Error(`ended with ${outcome.code}: ${outcome.err}`);
      }
    };
    for (const line of ['no json', 'null', '[]', '['.repeat(40_000) + ']'.repeat(40_000)]) write(line);
    const clientInfo = { name: 'test', version: '1' };
    await request('initialize', { protocolVersion: '1999-01-01', capabilities: {}, clientInfo });
    write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect((await request('nope')).error?.code).to.equal(-32601);

    const namesOf = (tools: readonly { readonly name: string }[] = []) => tools.map(({ name }) => name);
    const tools = namesOf((await request('tools/list')).result?.tools);
    expect([...tools, 'ask_question']).to.have.members(namesOf((await remote.listTools()).tools));
    const [owner, repo] = demo.repository.split('/');
    // Before SQL of callers can run, the process must copy the tables.
    const first = { name: 'run_sql', arguments: { sql: 'SELECT 1 AS one' } };
    await eventually(async () => (await request('tools/call', first)).result?.isError !== true);
    for (const [name, given] of [
      ['list-collections', {}],
      ['list-issue-creators', { owner, repo, page_size: 2 }],
      ['run_sql', { sql: 'SELECT COUNT(*) AS events FROM github_events' }],
    ] as const) {
      const here = (await request('tools/call', { name, arguments: given })).result?.structuredContent ?? {};
      const there = (await call(remote, name, given)).content;
      // Each process signs cursors with a different secret, so cursors are not compared.
      const cursors = 'next_cursor' in here ? { next_cursor: there.next_cursor } : {};
      expect({ ...here, ...cursors }, name).to.deep.equal(there);
    }
    const wrong = await request('tools/call', { name: 'list-issue-creators', arguments: { owner: 5 } });
    expect(wrong.result?.content?.[0]?.text).to.equal(
      'Error bad_parameter:\n- owner must be a text, got 5\n- repo must be text of 1 to 100 characters, got nothing',
    );
    const resources = (await request('resources/list')).result?.resources;
    expect(resources).to.deep.equal((await remote.listResources()).resources);

    local.child.stdin.end();
    expect((await local.ended).code).to.equal(0);
    expect(messages().map(({ id }) => id)).to.deep.equal(Array.from({ length: sent }, (_, index) => index + 1));
    expect(local.err())
      .to.match(/\d+ endpoints/)
      .and.to.include('A line of the input is not a message of JSON-RPC 2.0.');
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

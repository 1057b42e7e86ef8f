import { expect } from 'chai';
import { type DemoService, startDemoService, tokenOf } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { call, connectHttp, VERSIONS } from './mcp-client.js';

describe('the limits of tools', () => {
  let demo: DemoService;
  /** All tests share one service and use different addresses. */
  before(async () => {
    const limits = {
      RATE_LIMIT_PER_HOUR: '5',
      RATE_LIMIT_PER_MINUTE: '',
      PLAYGROUND_PER_MINUTE: '2',
      CALLER_LIMIT_PER_MINUTE: '2',
      TRUSTED_PROXIES: 'loopback',
    };
    demo = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...limits });
  });
  after(() => demo.close());
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('are shared with /q and /v1: each call counts as one request', async () => {
    const headers = from('192.0.2.1');
    const client = await connectHttp(demo, '2026-07-28', headers);
    await client.listTools();
    const remaining = async (path: string) => (await demo.get(path, { headers })).headers.get('x-ratelimit-remaining');
    expect(await remaining('/q/list-collections')).to.equal('4');
    expect((await call(client, 'list-collections')).isError).to.equal(false);
    await client.readResource({ uri: 'repo-insight://tables/github_events' });
    expect(await remaining('/v1/collections/')).to.equal('1');
    const legacy = await connectHttp(demo, '2025-11-25', headers);
    expect((await call(legacy, 'list-collections', { wrong: 1 })).error?.code).to.equal('bad_parameter');
    for (const one of [client, legacy]) {
      const { isError, error, text } = await call(one, 'list-collections');
      expect([isError, error?.code]).to.deep.equal([true, 'rate_limited']);
      expect(text).to.match(
        /^Error rate_limited: The request exceeds the limit of 5 requests per hour from one address; retry in \d+ s\.$/,
      );
      expect(error).to.have.property('retry_after_seconds').within(1, 3600);
    }
    const resource = await client.readResource({ uri: 'repo-insight://coverage' }).catch((error: unknown) => error);
    expect(resource)
      .to.have.property('message')
      .that.matches(/^rate_limited: The request exceeds the limit of 5/);
    expect((await demo.get('/q/list-collections', { headers })).status).to.equal(429);
    await Promise.all([client.close(), legacy.close()]);
  });

  it('count each message of a batch', async () => {
    const message = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list-collections' } };
    const response = await fetch(`${demo.service.url}/mcp`, {
      method: 'POST',
      headers: {
        ...from('192.0.2.2'),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify([1, 2, 3, 4, 5, 6, 7].map((id) => ({ ...message, id }))),
    });
    const results = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, text = '']) => JSON.parse(text));
    expect(results.filter(({ result }) => result.isError !== true)).to.have.length(5);
    expect(results.filter(({ result }) => result.isError === true)).to.have.length(2);
  });

  it('are those of the playground for SQL of the caller', async () => {
    const headers = from('192.0.2.3');
    const client = await connectHttp(demo, '2026-07-28', headers);
    const init = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ sql: 'SELECT 1 AS one' }),
    };
    expect((await demo.get('/q/playground/', init)).status).to.equal(200);
    expect((await call(client, 'run_sql', { sql: 'SELECT 2 AS two' })).content.rows).to.deep.equal([{ two: 2 }]);
    expect((await call(client, 'run_sql', { sql: 'SELECT 3 AS three' })).error?.code).to.equal('rate_limited');
    expect((await demo.get('/q/playground/', init)).status).to.equal(429);
    expect((await call(client, 'list-collections')).isError).to.equal(false);
    await client.close();
  });

  it('are those of the user for questions, also with several addresses', async () => {
    const codes = [];
    for (const [index, version] of [...VERSIONS, VERSIONS[0]].entries()) {
      const headers = { Authorization: `Bearer ${await tokenOf('octavia')}`, ...from(`192.0.2.1${index}`) };
      const client = await connectHttp(demo, version, headers);
      codes.push((await call(client, 'ask_question', { question: 'List all collections' })).error?.code ?? 'answered');
      await client.close();
    }
    expect(codes).to.deep.equal(['answered', 'answered', 'rate_limited']);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { definition, NAMES } from '../cache/cached-service.js';
import { createOwnFolder, type OwnFolder } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const [SERVER, CLIENT] = [2, 3];

describe('traces', () => {
  const spans: ReceivedSpan[] = [];
  let collector: Server;
  let own: OwnFolder;
  let demo: DemoService | undefined;
  before(async () => {
    collector = createServer(async (request, response) => {
      const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    own = await createOwnFolder();
    await own.write('names.yaml', NAMES);
    await own.write('fails.yaml', definition('fails', { sql: 'SELECT 1 AS id, 2 AS name FROM missing_table' }));
  });
  afterEach(async () => {
    await demo?.close();
    demo = undefined;
  });
  after(async () => {
    await own.close();
    collector.closeAllConnections();
    collector.close();
  });

  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const attributesOf = ({ attributes }: ReceivedSpan) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

  it('contain a request with its query, in the trace of the caller, and the log has their id', async () => {
    demo = await startDemoService({ OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector), ENDPOINTS_DIR: own.path });
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'X-Request-Id': 'traced' };
    const path = '/v1/cached/names/?least=1';
    await demo.get(path, { headers });
    await demo.get(path, { headers });
    await demo.get('/v1/nothing');
    const lines = () => demo?.log.filter(({ req }) => (req as { id?: string } | undefined)?.id === 'traced') ?? [];
    await eventually(() => lines().length === 2);
    expect(lines().map(({ traceId, cache }) => [traceId, cache])).to.deep.equal([
      [TRACE, 'computed'],
      [TRACE, 'memory'],
    ]);
    // Closing the service exports the last spans.
    await demo.close();
    demo = undefined;
    const [missed, hit] = spans.filter(({ name }) => name === 'GET names');
    expect([missed?.traceId, missed?.parentSpanId, missed?.kind]).to.deep.equal([TRACE, CALLER, SERVER]);
    const { 'http.response.size': bytes, ...attributes } = attributesOf(missed as ReceivedSpan);
    expect(Number(bytes)).to.be.above(100);
    expect(attributes).to.deep.equal({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'repo_insight.request_id': 'traced',
      'repo_insight.operation': 'names',
      'repo_insight.cache': 'computed',
      'repo_insight.rows': Number(attributes['repo_insight.rows']),
    });
    expect(attributesOf(hit as ReceivedSpan)['repo_insight.cache']).to.equal('memory');
    const queries = spans.filter(({ traceId, name }) => traceId === TRACE && name === 'query names');
    expect(queries.length).to.be.at.least(1);
    for (const query of queries) expect([query.parentSpanId, query.kind]).to.deep.equal([missed?.spanId, CLIENT]);
    const names = queries
      .flatMap((query) => Object.entries(attributesOf(query)))
      .map(([key, value]) => `${key}=${value}`);
    expect(names).to.include.members(['db.system.name=duckdb', 'db.query.summary=names']);
    expect(JSON.stringify(spans)).to.not.include('least');
    const unknown = spans.filter((span) => attributesOf(span)['http.response.status_code'] === 404);
    expect(unknown.map(({ name }) => name)).to.deep.equal(['GET']);
  });

  it('prevent neither requests nor the stop if the collector does not answer', async () => {
    const silent = createServer(() => {});
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    try {
      demo = await startDemoService({ OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(silent), ENDPOINTS_DIR: own.path });
      for (let time = 0; time < 20; time += 1) await demo.get('/v1/cached/names/');
      await demo.close();
      demo = undefined;
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });
});

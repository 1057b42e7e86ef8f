import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { BODY_LIMIT, bytesOf } from '../../engine/http/requests/read-request.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { freePort, type PrivateServer } from '../services/private-server.js';
import { needProxy, REVERSE_PROXIES } from '../services/reverse-proxies.js';
import { ask, open } from './proxy-requests.js';

const PATH = '/v1/collections/';
const LIMIT = 3;
const METRICS_PATHS = ['/metrics', '/metrics/', '/metrics?x', '/metrics/?x'];
/** Other spellings of `/metrics` that a proxy, or the parser of the service, treats as the same path. */
const OTHER_SPELLINGS = [
  '/%6detrics',
  '/metrics%2f',
  '//metrics/',
  '/v1/../metrics',
  '/./metrics/.',
  '/METRICS',
  '/metrics#x',
  '/metrics\\#x',
  '/metrics;x',
];
const METRICS_TOKEN = 'a-token-of-these-tests-with-32-bytes';

for (const proxy of REVERSE_PROXIES) {
  describe(`the file for ${proxy.name}`, () => {
    let port: number;
    let service: DemoService | undefined;
    let server: PrivateServer;
    needProxy(proxy);

    const startService = async () => {
      const limits = {
        RATE_LIMIT_PER_HOUR: String(LIMIT),
        TRUSTED_PROXIES: '127.0.0.1',
        METRICS_TOKEN,
        ENDPOINTS_DIR: FEW_ENDPOINTS,
      };
      service = await startDemoService({ PORT: String(port), ...limits });
    };
    const stopService = async () => {
      await service?.close();
      service = undefined;
    };
    before(async () => {
      port = await freePort();
      await startService();
      server = await proxy.start(port);
    });
    after(async () => {
      await server?.remove();
      await stopService();
    });

    it('counts each client by its own address, also if it sends X-Forwarded-For', async () => {
      const statusesOf = async (localAddress: string) => {
        const statuses: number[] = [];
        for (let number = 0; number <= LIMIT; number++) {
          const headers = { 'X-Forwarded-For': `198.51.100.${number}` };
          statuses.push((await ask(proxy, server, PATH, { localAddress, headers })).status);
        }
        return statuses;
      };
      const expected = [200, 200, 200, 429];
      expect([await statusesOf('127.0.0.2'), await statusesOf('127.0.0.3')]).to.deep.equal([expected, expected]);
    });

    it('passes bodies up to the limit of the service, and rejects larger ones', async () => {
      const post = async (length: number) => {
        const sql = JSON.stringify({ sql: '' });
        const body = sql.replace('""', `"${'x'.repeat(length - sql.length)}"`);
        const headers = { 'Content-Type': 'application/json' };
        return (await ask(proxy, server, '/q/playground/', { method: 'POST', headers, body })).status;
      };
      const most = bytesOf(BODY_LIMIT);
      expect([await post(most), await post(most + 1)]).to.deep.equal([400, 413]);
    });

    it('does not publish the metrics', async () => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      const statuses: Record<string, readonly number[]> = {};
      for (const path of METRICS_PATHS) {
        const direct = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
        await direct.body?.cancel();
        statuses[path] = [direct.status, (await ask(proxy, server, path, { headers })).status];
      }
      expect(statuses).to.deep.equal(Object.fromEntries(METRICS_PATHS.map((path) => [path, [200, 404]])));
      for (const path of OTHER_SPELLINGS) {
        const { body } = await ask(proxy, server, path, { headers });
        expect({ path, isMetrics: body.includes('# HELP') }).to.deep.equal({ path, isMetrics: false });
      }
    });

    it('answers while the service restarts, and after it', async () => {
      await stopService();
      const during = ask(proxy, server, '/readyz');
      if (!proxy.waitsForRestart) {
        const { status, headers, body } = await during;
        const { request_id: _, detail: __, ...problem } = JSON.parse(body);
        expect({ status, type: headers['content-type'], retry: headers['retry-after'], problem }).to.deep.equal({
          status: 503,
          type: 'application/problem+json',
          retry: '2',
          problem: { type: 'about:blank', title: 'Service Unavailable', status: 503, code: 'service_unavailable' },
        });
      }
      await startService();
      if (proxy.waitsForRestart) expect((await during).status).to.equal(200);
      expect((await ask(proxy, server, '/readyz')).status).to.equal(200);
    });

    it('passes parts of an answer when they are sent, and ends the request of a client that disconnects', async () => {
      await stopService();
      const { requests, close } = await listenAt(port);
      try {
        const response = await open(proxy, server, '/a-stream');
        const [request] = requests;
        const parts: string[] = [];
        response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
        for (const part of ['first\n', 'second\n']) {
          request?.response.write(part);
          // The next part is only sent after the client has received this one, so a proxy that buffers parts fails.
          await eventually(() => parts.join('').endsWith(part));
        }
        response.destroy();
        await eventually(() => request?.isClosed === true);
      } finally {
        await close();
      }
    });
  });
}

interface OpenRequest {
  readonly response: ServerResponse;
  isClosed: boolean;
}

/** Starts a server at the port of the service. The test writes its answers part by part. */
async function listenAt(port: number): Promise<{ requests: OpenRequest[]; close(): Promise<void> }> {
  const requests: OpenRequest[] = [];
  const server: Server = createServer((_request: IncomingMessage, response) => {
    const open: OpenRequest = { response, isClosed: false };
    response.once('close', () => {
      open.isClosed = true;
    });
    requests.push(open);
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).flushHeaders();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import { expect } from 'chai';
import { type DemoService, startDemoService, useSharedDemo } from '../service/demo-service.js';

const TOKEN = 'a token of at least 32 characters';

describe('the metrics', () => {
  const shared = useSharedDemo();
  let demo: DemoService | undefined;
  afterEach(async () => {
    await demo?.close();
    demo = undefined;
  });

  it('are served at the port of the service only with a token', async () => {
    const token = TOKEN.replaceAll(' ', '-');
    const { service } = await open({ METRICS_TOKEN: token });
    const scrape = async (headers: Readonly<Record<string, string>>) => {
      const response = await fetch(`${service.url}/metrics`, { headers });
      const body = await response.text();
      return { status: response.status, type: response.headers.get('content-type'), body };
    };
    const missing = await scrape({});
    const wrong = await scrape({ Authorization: `Bearer ${token}x` });
    expect([missing.status, wrong.status]).to.deep.equal([401, 401]);
    expect([missing.body, wrong.body].map((body) => JSON.parse(body).code)).to.deep.equal([
      'credential_missing',
      'credential_invalid',
    ]);
    const Authorization = `Bearer ${token}`;
    const text = await scrape({ Authorization });
    expect([text.status, text.type]).to.deep.equal([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const line = 'repo_insight_http_requests_total{operation="metrics",method="GET",status="401"} 2';
    expect(text.body).to.include(`# TYPE repo_insight_http_requests_total counter\n`).and.include(line);
    expect(text.body).to.include('nodejs_eventloop_lag_seconds');
    const openMetrics = await scrape({ Authorization, Accept: 'application/openmetrics-text; version=1.0.0' });
    expect(openMetrics.type).to.equal('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(openMetrics.body).to.include(`# TYPE repo_insight_http_requests counter\n`).and.include(line);
    expect(openMetrics.body).to.match(/\n# EOF\n$/);
  });

  it('are served at their own port, which has nothing else', async () => {
    const { service } = await open({ METRICS_PORT: '0' });
    const url = service.metricsUrl ?? '';
    const statuses = ['/metrics', '/metrics/', '/v1/collections/', '/'].map(
      async (path) => (await fetch(url + path)).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([200, 200, 404, 404]);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).to.equal(405);
    expect((await fetch(`${service.url}/metrics`)).status).to.equal(404);
  });

  it('are not served without a setting', async () => {
    const { service } = shared.demo;
    expect([service.metricsUrl, (await fetch(`${service.url}/metrics`)).status]).to.deep.equal([undefined, 404]);
  });

  async function open(environment: Readonly<Record<string, string>>): Promise<DemoService> {
    demo = await startDemoService(environment);
    return demo;
  }
});

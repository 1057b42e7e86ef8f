import { expect } from 'chai';
import { type DemoService, startDemoService, useSharedDemo } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

describe('answers that depend on headers of the request', () => {
  const shared = useSharedDemo();

  const varied = async (demo: DemoService, path: string, accept = '*/*') => {
    const response = await demo.get(path, { headers: { Accept: accept } });
    const names = response.headers.get('vary')?.toLowerCase().split(/, */) ?? [];
    return [response.headers.get('content-type')?.split(';')[0], ...names.sort()];
  };

  it('name them in Vary', async () => {
    const { demo } = shared;
    expect([
      await varied(demo, '/', 'application/json'),
      await varied(demo, '/', 'text/html'),
      await varied(demo, '/openapi.json'),
      await varied(demo, '/docs'),
      await varied(demo, '/v1/nothing'),
    ]).to.deep.equal([
      ['application/json', 'accept', 'accept-encoding'],
      ['text/html', 'accept', 'accept-encoding'],
      ['application/json', 'accept-encoding'],
      ['text/html', 'accept-encoding'],
      ['application/json', 'accept-encoding'],
    ]);
  });

  it('also name Origin if one origin is allowed', async () => {
    const demo = await startDemoService({ CORS_ORIGIN: 'https://a.example', ENDPOINTS_DIR: FEW_ENDPOINTS });
    const headers = [
      await varied(demo, '/', 'text/html'),
      await varied(demo, '/openapi.json'),
      await varied(demo, '/v1/nothing'),
    ];
    await demo.close();
    expect(headers).to.deep.equal([
      ['text/html', 'accept', 'accept-encoding', 'origin'],
      ['application/json', 'accept-encoding', 'origin'],
      ['application/json', 'accept-encoding', 'origin'],
    ]);
  });
});

import { expect } from 'chai';
import { type DemoService, startDemoService } from './demo-service.js';

describe('answers that depend on headers of the request', () => {
  let demo: DemoService | undefined;
  afterEach(() => demo?.close());

  const varied = async (path: string, accept = '*/*') => {
    const response = await demo?.get(path, { headers: { Accept: accept } });
    const names = response?.headers.get('vary')?.toLowerCase().split(/, */) ?? [];
    return [response?.headers.get('content-type')?.split(';')[0], ...names.sort()];
  };

  it('name them in Vary', async () => {
    demo = await startDemoService({}, 500);
    expect([
      await varied('/', 'application/json'),
      await varied('/', 'text/html'),
      await varied('/openapi.json'),
      await varied('/docs'),
      await varied('/v1/nothing'),
    ]).to.deep.equal([
      ['application/json', 'accept', 'accept-encoding'],
      ['text/html', 'accept', 'accept-encoding'],
      ['application/json', 'accept-encoding'],
      ['text/html', 'accept-encoding'],
      ['application/json', 'accept-encoding'],
    ]);
  });

  it('also name Origin if one origin is allowed', async () => {
    demo = await startDemoService({ CORS_ORIGIN: 'https://a.example' }, 500);
    expect([await varied('/', 'text/html'), await varied('/openapi.json'), await varied('/v1/nothing')]).to.deep.equal([
      ['text/html', 'accept', 'accept-encoding', 'origin'],
      ['application/json', 'accept-encoding', 'origin'],
      ['application/json', 'accept-encoding', 'origin'],
    ]);
  });
});

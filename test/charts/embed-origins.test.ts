import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';

const ORIGINS = 'https://site.example,https://other.example:8443';

describe('the origins that can embed charts', () => {
  const services: DemoService[] = [];
  after(() => Promise.all(services.map((service) => service.close())));

  async function ancestors(environment: Readonly<Record<string, string>>, paths: readonly string[]) {
    const demo = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...environment });
    services.push(demo);
    return Promise.all(
      paths.map(async (path) => {
        const response = await fetch(demo.service.url + path, { headers: { Accept: 'text/html' } });
        const policy = response.headers.get('content-security-policy') ?? '';
        return [/frame-ancestors ([^;]*)/.exec(policy)?.[1], response.headers.get('x-frame-options')];
      }),
    );
  }

  it('are only this service by default, and never those of another page', async () => {
    const found = await ancestors({}, ['/embed/e/list-collections', '/e/list-collections', '/']);
    expect(found).to.deep.equal([
      ["'self'", null],
      ["'none'", null],
      ["'none'", null],
    ]);
  });

  it('are those of EMBED_ORIGINS', async () => {
    const found = await ancestors({ EMBED_ORIGINS: ORIGINS }, ['/embed/e/list-collections', '/e/list-collections']);
    expect(found).to.deep.equal([
      ['https://site.example https://other.example:8443', null],
      ["'none'", null],
    ]);
  });

  for (const value of [
    'site.example',
    'https://site.example/',
    'https://a.example; script-src *',
    '*,https://a.example',
  ]) {
    it(`cannot be ${value}`, () => {
      expect(() => readSettings({ EMBED_ORIGINS: value })).to.throw('origins such as https://site.example');
    });
  }
});

import { globalAgent } from 'node:http';
import { expect } from 'chai';
import { useSharedDemo } from './demo-service.js';
import { send } from './send.js';

describe('the reference page', () => {
  const shared = useSharedDemo();

  it('uses only files of this service and no inline scripts', async () => {
    const response = await shared.demo.get('/docs');
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const page = await response.text();
    const addresses = [...page.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    );
    const types = await Promise.all(
      addresses.map(async (address) => {
        const file = await fetch(new URL(address, new URL('docs', shared.demo.service.url)));
        return [address.replace(/-[\w-]{8}\./, '.'), file.status, file.headers.get('content-type')];
      }),
    );
    const [css, js, svg] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'image/svg+xml'];
    expect(types).to.deep.equal([
      ['./assets/icon.svg', 200, svg],
      ['./docs/swagger-ui.css', 200, css],
      ...types.filter(([name]) => String(name).startsWith('./assets/index')).map(([name]) => [name, 200, css]),
      ...types.filter(([name]) => String(name).startsWith('./assets/error-message')).map(([name]) => [name, 200, css]),
      ['./assets/reference.css', 200, css],
      ['./assets/theme.js', 200, js],
      ['./assets/icon.svg', 200, svg],
      ['./docs/swagger-ui-bundle.js', 200, js],
      ['./docs/start.js', 200, js],
    ]);
    expect(page).to.not.match(/<script>|<style|style="|\son\w+=/);
  });

  it('forbids browsers to load anything else', async () => {
    const policy = (await shared.demo.get('/docs/')).headers.get('content-security-policy')?.split('; ');
    expect(policy).to.deep.equal([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('reads the description of this service', async () => {
    const start = await (await shared.demo.get('/docs/start.js')).text();
    const [, address = ''] = /url: new URL\('([^']*)'/.exec(start) ?? [];
    const { pathname } = new URL(address, 'http://service/docs/start.js');
    const document = (await (await shared.demo.get(pathname)).json()) as { openapi: string };
    expect(document.openapi).to.equal('3.1.0');
  });

  it('links to the description in every format', async () => {
    const page = await (await shared.demo.get('/docs/')).text();
    const [, links = ''] = /<nav aria-label="Descriptions">(.*?)<\/nav>/s.exec(page) ?? [];
    const found = [...links.matchAll(/href="([^"]*)">([^<]*)</g)].map(async ([, address = '', name]) => {
      const { pathname } = new URL(address, 'http://service/docs/');
      const { openapi, swagger } = (await (await shared.demo.get(pathname)).json()) as Record<string, unknown>;
      return [name, openapi ?? swagger];
    });
    expect(await Promise.all(found)).to.deep.equal([
      ['OpenAPI 3.1', '3.1.0'],
      ['OpenAPI 3.0', '3.0.3'],
      ['Swagger 2.0', '2.0'],
    ]);
  });

  it('serves no other file', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html', '/docs/swagger-ui.js']) {
      expect((await shared.demo.get(path)).status, path).to.equal(404);
    }
    expect((await shared.demo.get('/docs/swagger-ui.css', { method: 'POST' })).status).to.equal(405);
  });

  it('loads a description that is sent again only if it has changed', async () => {
    for (const path of ['/openapi.json', '/openapi-3.0.json', '/docs/json']) {
      const etag = (await shared.demo.get(path)).headers.get('etag') ?? '';
      const statusOf = async (known: string) => {
        // `fetch` is not used, because it would always request a new version.
        const headers = { 'If-None-Match': known };
        return (await send(shared.demo.service.url, globalAgent, { method: 'GET', path, headers })).status;
      };
      expect(await statusOf(etag)).to.equal(304);
      expect(await statusOf('W/"another"')).to.equal(200);
    }
  });
});

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

  it('serves no other file', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html', '/docs/swagger-ui.js']) {
      expect((await shared.demo.get(path)).status, path).to.equal(404);
    }
    expect((await shared.demo.get('/docs/swagger-ui.css', { method: 'POST' })).status).to.equal(405);
  });

  it('loads a description that is sent again only if it has changed', async () => {
    for (const path of ['/openapi.json', '/docs/json']) {
      const etag = (await shared.demo.get(path)).headers.get('etag') ?? '';
      const statusOf = async (known: string) => {
        // `fetch` would always request a new one.
        const headers = { 'If-None-Match': known };
        return (await send(shared.demo.service.url, globalAgent, { method: 'GET', path, headers })).status;
      };
      expect(await statusOf(etag)).to.equal(304);
      expect(await statusOf('W/"another"')).to.equal(200);
    }
  });
});

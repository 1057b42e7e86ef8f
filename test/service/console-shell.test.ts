import { globalAgent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type DemoService, startDemoService } from './demo-service.js';

describe('the pages of the console over HTTP', () => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService({ PUBLIC_URL: 'https://insight.example/base' });
  });
  after(() => demo.close());

  const page = async (path: string) => {
    const response = await fetch(new URL(path, demo.service.url), { headers: { Accept: 'text/html' } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const addressesOf = (text: string) =>
    [...text.matchAll(/(?:src|href)="([^"#]*)"/g)].map(([, address = '']) => address);

  it('load only files that exist, also below the root of the service', async () => {
    for (const path of [
      '/',
      '/e',
      '/e/list-trending-repos',
      '/p/collections',
      '/playground',
      '/embed/e/list-trending-repos',
    ]) {
      const { text } = await page(path);
      const base = new URL(/<base href="([^"]*)"/.exec(text)?.[1] ?? '', new URL(path, demo.service.url));
      expect(base.pathname, path).to.equal('/');
      const files = addressesOf(text).filter((address) => /^(?:\.\/)?assets\//.test(address));
      const statuses = await Promise.all(files.map(async (file) => (await fetch(new URL(file, base))).status));
      expect(statuses, path).to.deep.equal(files.map(() => 200));
    }
  });

  it('load the scripts of a page together with the first script', async () => {
    const preloaded = async (path: string) =>
      addressesOf((await page(path)).text)
        .filter((address) => address.endsWith('.js'))
        .join(' ');
    expect(await preloaded('/'))
      .to.match(/assets\/home-page-/)
      .and.not.match(/endpoint-page/);
    expect(await preloaded('/e/list-trending-repos'))
      .to.match(/assets\/endpoint-page-/)
      .and.not.match(/home-page/);
    expect(await preloaded('/')).to.not.match(/canvas|echarts/);
  });

  it('send the first request of a page before its scripts run', async () => {
    const requests = async (path: string) =>
      Promise.all(
        [...(await page(path)).text.matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]*)"/g)].map(
          async ([, address = '']) => [address, (await fetch(new URL(address, demo.service.url))).status],
        ),
      );
    expect(await requests('/')).to.deep.equal([['q/collections-by-growth?sort=growth_pop', 200]]);
    expect(await requests('/e/list-hot-collections')).to.deep.equal([
      ['console/definitions/list-hot-collections/', 200],
    ]);
    const path = `/p/repositories/${demo.repository}`;
    expect(await requests(path)).to.deep.equal([[`console/page/?path=${encodeURIComponent(path)}`, 200]]);
    expect(await requests('/e/no-such-endpoint')).to.deep.equal([]);
  });

  it('have no control characters of their addresses, and are only embedded for endpoints', async () => {
    const { status, text } = await page('/p/repositories/a%1Bb%7Fc%C2%9Bd/%3Ce%3E');
    expect([status, /<title>(.*)<\/title>/.exec(text)?.[1]]).to.deep.equal([200, 'abcd/&#60;e&#62; · repo-insight']);
    const unknown = await page('/e/a%00b');
    expect(/<title>(.*)<\/title>/.exec(unknown.text)?.[1]).to.equal('ab · repo-insight');
    const paths = ['/embed/anything', '/embed/e/', '/embed/e/list-collections/more', '/embed/e/list-collections'];
    expect(await Promise.all(paths.map(async (path) => (await page(path)).status))).to.deep.equal([404, 404, 404, 200]);
  });

  it('have a title, a description, an image and an address for search engines and previews', async () => {
    const { text } = await page('/e/list-trending-repos');
    expect(text).to.contain('<title>Trending repositories · repo-insight</title>');
    expect(text).to.contain('<meta property="og:title" content="Trending repositories">');
    expect(text).to.contain(
      '<meta property="og:image" content="https://insight.example/base/e/list-trending-repos.png">',
    );
    expect(text).to.contain('<link rel="canonical" href="https://insight.example/base/e/list-trending-repos">');
    expect(text).to.not.contain('noindex');
    for (const hidden of ['/embed/e/list-trending-repos', '/account', '/e/no-such-endpoint']) {
      expect((await page(hidden)).text, hidden).to.contain('<meta name="robots" content="noindex">');
    }
    expect((await page('/e/no-such-endpoint')).status).to.equal(404);
  });

  it('escape the names in their addresses', async () => {
    const { text } = await page(`/e/${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).to.not.contain('<script>alert');
  });

  it('send files in the best encoding that the client accepts, and 404 for files of another build', async () => {
    const script = addressesOf((await page('/')).text).find((address) => /assets\/index-.*\.js$/.test(address)) ?? '';
    const plain = await receive(script, 'identity');
    const brotli = await receive(script, 'gzip, deflate, br');
    const gzip = await receive(script, 'gzip');
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).to.deep.equal([
      undefined,
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).to.equal(true);
    for (const { headers } of [plain, brotli, gzip]) {
      expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
      expect(headers.vary).to.match(/Accept-Encoding/i);
    }
    for (const path of ['assets/index-00000000.js', 'assets/', 'assets/..%2findex.html', `${script}.br`]) {
      expect((await receive(path, 'br')).status, path).to.equal(404);
    }
    expect((await receive('assets/theme.js', 'identity')).headers['cache-control']).to.equal('no-cache');
  });

  it('send descriptions in the encoding that the client accepts, with one version', async () => {
    for (const path of ['/openapi.json', '/docs/json']) {
      const answers = await Promise.all(['identity', 'gzip, br', 'gzip', 'deflate'].map((one) => receive(path, one)));
      const [plain, brotli, gzip, other] = answers.map(({ body }) => body) as [Buffer, Buffer, Buffer, Buffer];
      expect(answers.map(({ headers }) => headers['content-encoding'] ?? 'none')).to.deep.equal([
        ...['none', 'br', 'gzip', 'none'],
      ]);
      expect(brotliDecompressSync(brotli).equals(plain)).to.equal(true);
      expect([gunzipSync(gzip).equals(plain), other.equals(plain)]).to.deep.equal([true, true]);
      expect(new Set(answers.map(({ headers }) => headers.etag))).to.have.length(1);
      for (const { headers } of answers) expect(headers.vary).to.match(/Accept-Encoding/);
    }
  });

  /** Returns the bytes exactly as the service sends them; `fetch` would decompress them. */
  const receive = (path: string, encoding: string) =>
    new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
      (resolve, reject) => {
        const options = { agent: globalAgent, headers: { 'Accept-Encoding': encoding } };
        request(new URL(path, demo.service.url), options, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
          );
        })
          .on('error', reject)
          .end();
      },
    );
});

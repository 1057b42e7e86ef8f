import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { rawRequest } from '../service/raw-request.js';
import { useConsole } from './use-console.js';

/** One path of each kind of page. */
const PATHS = [
  '/',
  '/e',
  '/e/',
  '/e/list-collections',
  '/e/no-such-endpoint',
  '/p/no/such/page',
  '/p/repositories/a/b',
  '/ask',
  '/ask/1234',
  '/playground',
  '/account',
  '/operator',
  '/embed/e/list-collections',
];
const HTML = { headers: { Accept: 'text/html,*/*;q=0.8' } };
const ASSETS = resolve('dist/web/assets');

describe('the security policy of the console', () => {
  const console = useConsole();
  const get = (path: string, init: RequestInit = HTML) => fetch(console.demo.service.url + path, init);

  it('allows only files of the service and no inline script, on every page', async () => {
    for (const path of PATHS) {
      const { headers } = await get(path);
      const policy = directivesOf(headers.get('content-security-policy'));
      expect(headers.get('x-frame-options')).to.equal(null);
      const ancestors = path.startsWith('/embed/') ? "'self'" : "'none'";
      expect({ path, ...policy }).to.deep.equal({ path, ...STRICT_POLICY, 'frame-ancestors': ancestors });
    }
  });

  it('has another nonce for each answer', async () => {
    const policies = await Promise.all(
      Array.from({ length: 4 }, async () => (await get('/e')).headers.get('content-security-policy')),
    );
    expect(new Set(policies).size).to.equal(4);
    for (const policy of policies) expect(policy).to.match(/'nonce-[A-Za-z0-9+/]{22}=='/);
  });

  console.it('has no inline script, style, event or foreign address in the HTML of any page', async (open) => {
    // The parsing is done on another page, because the pages themselves do not allow it.
    const page = await open('/console/session/', { expected: /favicon/ });
    const pages = await Promise.all(PATHS.map(async (path) => [path, await (await get(path)).text()] as const));
    expect(await page.evaluate(`(${FIND_INLINE})(${JSON.stringify(Object.fromEntries(pages))})`)).to.deep.equal([]);
  });

  it('sends the other headers of every answer, and does not store pages without a check', async () => {
    for (const path of PATHS) {
      const { headers } = await get(path);
      const names = ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'cache-control'];
      expect(names.map((name) => headers.get(name))).to.deep.equal([
        'nosniff',
        'no-referrer',
        'same-origin',
        'no-cache',
      ]);
    }
  });

  it('answers private operations with no-store', async () => {
    const { headers } = await get('/console/session/');
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('rejects other methods', async () => {
    const { status, headers } = await get('/e', { method: 'POST' });
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
  });

  it('serves no file outside of the folder of the assets', async () => {
    const paths = [
      '/assets/../index.html',
      '/assets/../../package.json',
      '/assets/%2e%2e/index.html',
      '/assets/%2e%2e%2findex.html',
      '/assets/..%5cindex.html',
      '/assets//etc/passwd',
      '/assets/%2fetc%2fpasswd',
      '/assets/theme.js%00.css',
      '/assets/.',
      '/assets/',
    ];
    for (const path of paths) {
      const answer = await rawRequest(
        console.demo.service.url,
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      );
      expect({ path, status: answer.slice(9, 12) }).to.be.deep.oneOf([
        { path, status: '404' },
        { path, status: '400' },
        { path, status: '403' },
      ]);
      expect(answer).to.not.match(/<!doctype|"name": "repo-insight"|root:/);
    }
  });

  it('answers a missing asset with 404, which is not stored', async () => {
    const { status, headers } = await get('/assets/missing-1234.js');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([
      404,
      'text/plain; charset=utf-8',
      null,
    ]);
  });

  it('stores for a year only the files whose names change with their content', async () => {
    for (const [name, isFixed] of [
      ['theme.js', true],
      ['icon.svg', true],
      [readdirSync(ASSETS).find((file) => /^index-.*\.js$/.test(file)) ?? '', false],
    ] as const) {
      const header = (await get(`/assets/${name}`)).headers.get('cache-control');
      expect([name, header]).to.deep.equal([name, isFixed ? 'no-cache' : 'public, max-age=31536000, immutable']);
    }
  });

  it('has no source map and no path of the machine in its files', () => {
    const names = readdirSync(ASSETS, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.map'))).to.deep.equal([]);
    const revealing = names
      .filter((name) => /\.(js|css)$/.test(name))
      .filter((name) => {
        const text = readFileSync(resolve(ASSETS, name), 'utf8');
        return text.includes(process.cwd()) || text.includes('sourceMappingURL') || text.includes('/node_modules/');
      });
    expect(revealing).to.deep.equal([]);
  });
});

const STRICT_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'nonce-…'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'self'",
  'form-action': "'self'",
  'require-trusted-types-for': "'script'",
};

function directivesOf(policy: string | null): Record<string, string> {
  const parts = (policy ?? '').replace(/'nonce-[^']+'/, "'nonce-…'").split('; ');
  return Object.fromEntries(parts.map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]));
}

/** A function for the browser that finds, by path, what the security policy would block in pages. */
const FIND_INLINE = `(pages) => Object.entries(pages).flatMap(([path, text]) => {
  const page = new DOMParser().parseFromString(text, 'text/html');
  return [...page.querySelectorAll('*')].flatMap((element) => [
    ...(/^(script|style)$/i.test(element.localName) && element.textContent.trim() !== '' ? [path + ': inline ' + element.localName] : []),
    ...[...element.attributes].flatMap(({ name, value }) =>
      name.startsWith('on') || name === 'style' || name === 'srcdoc' || /^(\\w+:|\\/)/.test(/^(src|href)$/.test(name) ? value : '')
        ? [path + ': ' + name + '=' + value] : []),
  ]);
})`;

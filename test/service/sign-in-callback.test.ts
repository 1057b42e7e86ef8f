import { expect } from 'chai';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { Browser } from './browser.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { PUBLIC_URL, type SignInService, useSignIn } from './sign-in-service.js';

const SESSION = '__Host-repo-insight-session';

describe('the way back of a sign-in, on the embedded database', () => wayBack(useSignIn()));

describe(`the way back of a sign-in, on ${SERVER}`, () => {
  const server = useMysql();
  const SHARED = { SESSION_SECRET: 'a secret of both processes, long enough' };
  const service = useSignIn(() => ({ ...server.environment, ...SHARED }));
  wayBack(service);

  it('begins one session for several concurrent codes at two services', async () => {
    const { demo: one, provider } = service;
    const common = { ...provider.environment, PUBLIC_URL, ENDPOINTS_DIR: FEW_ENDPOINTS };
    const other = await startDemoService({ ...common, ...server.environment, ...SHARED });
    try {
      for (let round = 0; round < 5; round++) {
        const { paths, cookies } = await beginWith(one, 8);
        const arrivals = paths.map((path, index) => arrive(index % 2 === 0 ? one : other, path, cookies));
        const answers = await Promise.all(arrivals);
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, ...paths.slice(1).map(() => 400)]);
      }
    } finally {
      await other.close();
    }
  });
});

function wayBack(service: SignInService): void {
  it('begins one session for several concurrent codes', async () => {
    const { paths, cookies } = await beginWith(service.demo, 10);
    const answers = await Promise.all(paths.map((path) => arrive(service.demo, path, cookies)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, ...paths.slice(1).map(() => 400)]);
    const rejected = answers.find(({ status }) => status === 400);
    expect(rejected).to.include({ code: 'sign_in_failed', detail: USED });
    expect(answers.filter(({ hasSession }) => hasSession)).to.have.length(1);
  });

  it('is used up by a failure of the provider, too', async () => {
    const { paths, cookies } = await beginWith(service.demo, 2);
    service.provider.next.broken = { '/token': 'fails' };
    expect(await arrive(service.demo, paths[0], cookies)).to.include({ status: 503 });
    service.provider.next.broken = {};
    expect(await arrive(service.demo, paths[1], cookies)).to.include({ status: 400, detail: USED });
  });

  it('is not used up by HEAD, which does not sign in', async () => {
    const { paths, cookies } = await beginWith(service.demo, 1);
    const asked = service.provider.requests.get('/token');
    expect(await head(service.demo, paths[0] ?? '', cookies)).to.deep.equal(NO_HEAD);
    expect(service.provider.requests.get('/token')).to.equal(asked);
    expect(await arrive(service.demo, paths[0], cookies)).to.include({ status: 303, hasSession: true });
  });

  it('is not started by HEAD', async () => {
    expect(await head(service.demo, '/sign-in/', '')).to.deep.equal(NO_HEAD);
    expect(await head(service.demo, '/sign-in', '')).to.deep.equal(NO_HEAD);
  });
}

describe('requests to sign in', () => {
  const service = useSignIn();

  it('are limited by address', async () => {
    const settings = {
      ENDPOINTS_DIR: FEW_ENDPOINTS,
      ...service.provider.environment,
      PUBLIC_URL,
      CALLER_LIMIT_PER_MINUTE: '4',
      TRUSTED_PROXIES: 'loopback',
    };
    const demo = await startDemoService(settings);
    try {
      const from = async (address: string, path: string) => {
        const response = await demo.get(path, { headers: { 'X-Forwarded-For': address }, redirect: 'manual' });
        return [response.status, response.headers.get('retry-after') !== null];
      };
      const callback = '/sign-in/callback/?state=a&code=b';
      const answers = [];
      for (const path of ['/sign-in/', callback, callback, callback, callback, '/sign-in/']) {
        answers.push(await from('192.0.2.1', path));
      }
      const rejected = [429, true];
      expect(answers).to.deep.equal([[302, false], [400, false], [400, false], [400, false], rejected, rejected]);
      expect(await from('192.0.2.2', callback)).to.deep.equal([400, false]);
    } finally {
      await demo.close();
    }
  });

  it('fit into the cookie with the longest return_to', async () => {
    const ask = async (place: string) => {
      const person = new Browser(PUBLIC_URL, service.demo);
      const response = await person.request(`/sign-in/?return_to=${encodeURIComponent(place)}`);
      const body = response.status === 400 ? ((await response.json()) as { code: string; detail: string }) : undefined;
      const [name = ''] = person.pending;
      return { status: response.status, ...body, cookie: `${name}=${person.cookies.get(name)?.value}`.length };
    };
    for (const character of ['a', '"', '~']) {
      const longest = character.repeat(999);
      const { status, cookie } = await ask(`/${longest}`);
      expect(status, character).to.equal(302);
      expect(cookie, character).to.be.within(1_000, 4_096);
      const rejected = await ask(`/${longest}${character}`);
      expect(rejected, character).to.include({ status: 400, code: 'bad_parameter' });
      expect(rejected)
        .to.have.property('detail')
        .that.matches(/return_to/);
    }
  });

  for (const place of ['/.//evil.example', '/%2F/evil.example', '/;@evil.example', '/%C2%A0/evil']) {
    it(`redirect only to this service: ${JSON.stringify(place)}`, async () => {
      const person = new Browser(PUBLIC_URL, service.demo);
      const { back } = await person.begin(`/sign-in/?return_to=${encodeURIComponent(place)}`);
      const location = (await person.request(back)).headers.get('location') ?? '';
      expect(new URL(location, PUBLIC_URL).origin).to.equal(PUBLIC_URL);
    });
  }
});

const USED = 'This sign-in was already used. Start again at /sign-in/.';
const NO_HEAD = { status: 405, allow: 'GET, OPTIONS', cookies: [] };

/** Begins a sign-in for which the provider issues several codes. Returns the paths of the callbacks, and the cookies for them. */
async function beginWith(demo: DemoService, codes: number): Promise<{ paths: string[]; cookies: string }> {
  const person = new Browser(PUBLIC_URL, demo);
  const { provider, back } = await person.begin();
  const paths = [back];
  while (paths.length < codes) {
    const location = (await fetch(provider, { redirect: 'manual' })).headers.get('location') ?? '';
    paths.push(location.replace(PUBLIC_URL, ''));
  }
  const [name = ''] = person.pending;
  return { paths, cookies: `${name}=${person.cookies.get(name)?.value}` };
}

const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('several sign-ins of one browser', () => {
  const service = useSignIn();
  const browser = () => new Browser(PUBLIC_URL, service.demo);

  it('in two tabs do not replace each other', async () => {
    const person = browser();
    const one = await person.begin('/sign-in/?return_to=/one');
    const two = await person.begin('/sign-in/?return_to=/two');
    expect(person.pending).to.have.length(2);
    const places = [];
    for (const { back } of [one, two]) places.push((await person.request(back)).headers.get('location'));
    expect(places).to.deep.equal(['/one', '/two']);
    expect(person.pending).to.deep.equal([]);
  });

  it('are not ended by a forged redirect back', async () => {
    const person = browser();
    const { back } = await person.begin();
    const forgeries = ['', '?state=', '?state=forged&code=1', '?state=forged&error=access_denied', '?code=1'];
    for (const query of forgeries) {
      const { status, headers } = await person.request(`/sign-in/callback/${query}`);
      expect([status, headers.getSetCookie()], query).to.deep.equal([400, []]);
    }
    expect((await person.request(back)).status).to.equal(303);
  });

  it('are limited in number: the oldest end', async () => {
    const person = browser();
    const begun = [];
    for (let count = 0; count < 7; count++) begun.push(await person.begin());
    expect(person.pending).to.have.length(5);
    const statuses = [];
    for (const { back } of begun) statuses.push((await person.request(back)).status);
    expect(statuses).to.deep.equal([400, 400, 303, 303, 303, 303, 303]);
  });

  it('are limited in size, so that the browser can still send its cookies', async () => {
    const person = browser();
    for (let count = 0; count < 7; count++) await person.begin(`/sign-in/?return_to=/${'%22'.repeat(999)}`);
    const { back } = await person.begin();
    const size = person.pending.reduce((sum, name) => sum + (person.cookies.get(name)?.value.length ?? 0), 0);
    expect(size).to.be.within(5_000, 8_192);
    expect((await person.request(back)).status).to.equal(303);
  });
});

describe('a failed sign-in', () => {
  const service = useSignIn();
  const browser = () => new Browser(PUBLIC_URL, service.demo);
  const linkOf = (page: string) => /<a href="([^"]*)">Try again<\/a>/.exec(page)?.[1];

  it('is a page with a link to try again for a browser, and problem details for a program', async () => {
    const person = browser();
    const { back } = await person.begin('/sign-in/?return_to=/e/%3Cb%3E');
    service.provider.next.broken = { '/token': 'fails' };
    const page = await person.request(back, { headers: HTML });
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).to.deep.equal([
      503,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.headers.get('retry-after')).to.equal('5');
    expect(page.headers.get('vary')).to.match(/Accept(,|$)/);
    expect(page.headers.get('content-security-policy')).to.match(/^default-src 'none'; style-src 'unsafe-inline'/);
    const text = await page.text();
    expect(text)
      .to.include('The sign-in provider does not answer at the moment.')
      .and.not.match(/<script|<b>/);
    expect(linkOf(text)).to.equal('/sign-in/?return_to=%2Fe%2F%3Cb%3E');
    service.provider.next.broken = {};
    expect((await person.visit(linkOf(text) ?? '')).url).to.match(/\/e\//);
    for (const headers of [
      {},
      { Accept: '*/*' },
      { Accept: 'application/json' },
      { Accept: 'application/problem+json' },
    ]) {
      const answer = await browser().request('/sign-in/callback/?state=x', { headers });
      expect(answer.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
    }
  });

  for (const path of [
    '/sign-in/callback/?state=%3Cb%3E&error=%3Cb%3E',
    '/sign-in/callback',
    '/sign-in/?return_to=//x',
  ]) {
    it(`is a page with a link for ${path}, too`, async () => {
      const page = await browser().request(path, { headers: HTML });
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([400, 'text/html; charset=utf-8']);
      const text = await page.text();
      expect(linkOf(text)).to.equal('/sign-in/?return_to=%2F');
      expect(text).to.not.include('<b>');
    });
  }

  it('has its reason in the log', async () => {
    const lineOf = async (act: () => Promise<unknown>) => {
      const before = service.demo.log.length;
      await act();
      return JSON.stringify(service.demo.log.slice(before));
    };
    expect(await lineOf(() => browser().request('/sign-in/callback/?state=x'))).to.include('did not start the sign-in');
    service.provider.next.wrong = { nonce: 'another' };
    expect(await lineOf(() => browser().visit('/sign-in/'))).to.match(/unexpected JWT claim value.*claim .*nonce/);
    service.provider.next.wrong = {};
    service.provider.next.wrongWay = { code: null, error: 'access_denied' };
    const denied = await lineOf(() => browser().visit('/sign-in/'));
    expect(denied)
      .to.include('the provider sent the error access_denied')
      .and.not.match(/eyJ|state=[\w-]{20}/);
  });
});

describe('a service under a path', () => {
  const BASE = 'https://insight.example/tools/insight';
  const service = useSignIn(() => ({ PUBLIC_URL: BASE }));
  const browser = () => new Browser(BASE, service.demo);
  const begin = (place: string) => browser().request(`/sign-in/?return_to=${encodeURIComponent(place)}`);

  it('is the place to which a sign-in returns', async () => {
    for (const [query, place] of [
      ['', '/tools/insight/'],
      ['?return_to=/tools/insight', '/tools/insight'],
      ['?return_to=/tools/insight/e/list?page=../2', '/tools/insight/e/list?page=../2'],
    ]) {
      const person = browser();
      const { back } = await person.begin(`/sign-in/${query}`);
      expect((await person.request(back)).headers.get('location')).to.equal(place);
    }
  });

  for (const place of [
    ...[
      '/',
      '/account',
      '/tools/',
      '/tools/insight-2/',
      '/TOOLS/insight/',
      '/tools/insight/../other',
      '/tools/insight/..',
    ],
    ...[
      '/tools/insight/%2e%2E/other',
      '/tools/insight/.%2e?x',
      '/tools/insight/..%2fother',
      '/tools/insight/%5c..%5cx',
    ],
    ...['/tools%2finsight%2f..%2fx', '/tools/insight/x/../../y#z'],
  ]) {
    it(`is not left by return_to: ${place}`, async () => {
      const response = await begin(place);
      expect(await response.json()).to.include({ status: 400, code: 'bad_parameter' });
    });
  }

  it('is the place of the link on the page of a failure', async () => {
    const page = await browser().request('/sign-in/callback/?state=x', { headers: HTML });
    expect(await page.text()).to.include(
      '<a href="/tools/insight/sign-in/?return_to=%2Ftools%2Finsight%2F">Try again</a>',
    );
  });
});

async function arrive(demo: DemoService, path = '', cookies: string) {
  const response = await demo.get(path, { headers: { Cookie: cookies }, redirect: 'manual' });
  const { code, detail } = (response.status === 303 ? {} : await response.json()) as { code?: string; detail?: string };
  const hasSession = response.headers.getSetCookie().some((line) => line.startsWith(`${SESSION}=s`));
  return { status: response.status, code, detail, hasSession };
}

async function head(demo: DemoService, path: string, cookies: string) {
  const response = await demo.get(path, { method: 'HEAD', headers: { Cookie: cookies }, redirect: 'manual' });
  return { status: response.status, allow: response.headers.get('allow'), cookies: response.headers.getSetCookie() };
}

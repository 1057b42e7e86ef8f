import { expect } from 'chai';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { Browser } from './browser.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { PUBLIC_URL, type SignInService, useSignIn } from './sign-in-service.js';

const PENDING = '__Host-repo-insight-sign-in';
const SESSION = '__Host-repo-insight-session';

describe('the way back of a sign-in, on the embedded database', () => wayBack(useSignIn()));

describe(`the way back of a sign-in, on ${SERVER}`, () => {
  const server = useMysql();
  // This suite is nested, so that its services end before the outer suite removes the database.
  describe('in a separate database', () => {
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
      return { status: response.status, ...body, cookie: person.cookies.get(PENDING)?.value.length ?? 0 };
    };
    for (const character of ['a', '"', '~']) {
      const longest = character.repeat(999);
      const { status, cookie } = await ask(`/${longest}`);
      expect(status, character).to.equal(302);
      expect(PENDING.length + 1 + cookie, character).to.be.within(1, 4_096);
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

/**
 * Begins a sign-in with several codes of the provider. Returns the paths of the redirects back, and the cookies for
 * them.
 */
async function beginWith(demo: DemoService, codes: number): Promise<{ paths: string[]; cookies: string }> {
  const person = new Browser(PUBLIC_URL, demo);
  const { provider, back } = await person.begin();
  const paths = [back];
  while (paths.length < codes) {
    const location = (await fetch(provider, { redirect: 'manual' })).headers.get('location') ?? '';
    paths.push(location.replace(PUBLIC_URL, ''));
  }
  return { paths, cookies: `${PENDING}=${person.cookies.get(PENDING)?.value}` };
}

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

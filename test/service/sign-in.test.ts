import { expect } from 'chai';
import { execute, useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { Browser } from './browser.js';
import { tokenOf } from './demo-service.js';
import { ownSessions } from './own-sessions.js';
import type { TestProvider } from './sign-in-provider.js';
import { PUBLIC_URL, type SignInService, useSignIn } from './sign-in-service.js';

const SESSION = '__Host-repo-insight-session';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a sign-in with a browser, on the embedded database', () => {
  const service = useSignIn();
  signingIn(service);
  browserSessions(service);
});
describe(`a sign-in with a browser, on ${SERVER}`, () => {
  const server = useMysql();
  browserSessions(useSignIn(() => server.environment));

  it('stores no session id in plain text', async () => {
    const rows = await execute(server.url, 'SELECT id_hash, data FROM sys_sessions');
    expect(rows).to.have.length.above(0);
    for (const { id_hash: hash } of rows) expect(hash).to.match(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).to.not.match(/verifier|nonce|access/);
  });
});

function signingIn(service: SignInService): void {
  const { browser, signedIn } = peopleOf(service);

  it('redirects to the provider and back to the requested path', async () => {
    service.provider.next.claims = {
      sub: 'host|583231',
      nickname: 'octo',
      name: 'Octo Cat',
      email: 'octo@example.org',
      email_verified: true,
      picture: 'https://pictures.example/octo.png',
    };
    const person = browser();
    const response = await person.visit('/sign-in/?return_to=/user/');
    expect([response.status, response.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    const { id: _, createdAt: _1, ...user } = (await response.json()) as Record<string, unknown>;
    expect(user).to.deep.equal({
      name: 'Octo Cat',
      emailAddress: 'octo@example.org',
      emailGetUpdates: false,
      hostId: 583231,
      hostLogin: 'octo',
      avatarUrl: 'https://pictures.example/octo.png',
    });
    expect([...person.cookies.keys()]).to.deep.equal([SESSION]);
    const { attributes } = person.cookies.get(SESSION) ?? { attributes: [] };
    expect(attributes.filter((attribute) => !attribute.startsWith('Expires='))).to.deep.equal([
      'Path=/',
      'HttpOnly',
      'Secure',
      'SameSite=Lax',
    ]);
  });

  it('uses the code flow with PKCE, state and nonce, with new values every time', async () => {
    const [one, two] = [await browser().begin(), await browser().begin()];
    const asked = Object.fromEntries(one.provider.searchParams);
    expect(asked).to.include({
      response_type: 'code',
      client_id: service.provider.clientId,
      redirect_uri: `${PUBLIC_URL}/sign-in/callback/`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked[name]).to.match(/^[\w-]{40,}$/);
      expect(two.provider.searchParams.get(name)).to.not.equal(asked[name]);
    }
  });

  for (const place of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/a\tb',
    '/\u00a0/evil',
    '/\uff0f/evil.example',
    'user/',
    '',
  ]) {
    it(`redirects only to its own pages: ${JSON.stringify(place)}`, async () => {
      const response = await browser().request(`/sign-in/?return_to=${encodeURIComponent(place)}`);
      expect(await readFailure(response)).to.include({ status: 400, code: 'bad_parameter' });
    });
  }

  it('does not log the query of the redirect back', async () => {
    const person = browser();
    const { back } = await person.begin();
    const { searchParams } = new URL(back, PUBLIC_URL);
    await person.request(back);
    const lines = service.demo.log
      .map((line) => JSON.stringify(line))
      .filter((line) => line.includes('/sign-in/callback/?'));
    expect(lines).to.have.length.above(0);
    for (const name of ['code', 'state']) expect(lines.join()).to.not.include(String(searchParams.get(name)));
  });

  it('creates no session before the sign-in is complete', async () => {
    const person = browser();
    await person.request('/healthy/');
    expect([...person.cookies.keys()]).to.deep.equal([]);
    await person.request('/sign-in/');
    expect([...person.cookies.keys()])
      .to.deep.equal(person.pending)
      .and.have.length(1);
  });

  const wrongWays: readonly (readonly [string, Partial<TestProvider['next']>, RegExp])[] = [
    ['of another nonce', { wrong: { nonce: 'another' } }, /unexpected JWT claim value/],
    ['without a nonce', { wrong: { nonce: undefined } }, /invalid response/],
    ['of another issuer', { wrong: { iss: 'https://evil.example' } }, /unexpected JWT claim value/],
    ['for another client', { wrong: { aud: 'another' } }, /unexpected JWT claim value/],
    ['that has expired', { wrong: { exp: 1_000 } }, /JWT timestamp/],
    ['of another subject than the one described', { wrong: { sub: 'host|8' } }, /unexpected JSON attribute/],
    ['that is forged', { isForged: true }, /signature of the token is invalid/],
    ['with another issuer in the redirect back', { wrongWay: { iss: 'https://evil.example' } }, /invalid response/],
    ['without an issuer in the redirect back', { wrongWay: { iss: null } }, /invalid response/],
    ['with another state in the redirect back', { wrongWay: { state: 'another' } }, /did not start the sign-in/],
    ['without a state in the redirect back', { wrongWay: { state: null } }, /did not start the sign-in/],
    ['with an unknown code', { wrongWay: { code: 'guessed' } }, /the provider sent the error invalid_grant/],
    [
      'that the user denied',
      { wrongWay: { code: null, error: 'access_denied' } },
      /the provider sent the error access_denied/,
    ],
    [
      'with an invalid error code',
      { wrongWay: { code: null, error: '<b>' } },
      /the provider sent the error \(unknown\)/,
    ],
    ['with a login of control characters', { claims: { sub: 'host|7', nickname: 'a\u001b[2Jb' } }, /claim "nickname"/],
  ];
  for (const [what, fault, words] of wrongWays) {
    it(`rejects a sign-in ${what}`, async () => {
      Object.assign(service.provider.next, fault);
      const person = browser();
      const { status, code, detail } = await readFailure(await person.visit('/sign-in/'));
      expect({ status, code }).to.deep.equal({ status: 400, code: 'sign_in_failed' });
      expect(detail).to.match(words).and.not.include('..');
      // A callback with another state does not belong to a sign-in of this browser.
      const isForeign = fault.wrongWay !== undefined && 'state' in fault.wrongWay;
      expect([...person.cookies.keys()])
        .to.deep.equal(person.pending)
        .and.have.length(isForeign ? 1 : 0);
    });
  }

  const broken: readonly (readonly [string, 'fails' | 'garbles' | 'floods'])[] = [
    ['/token', 'fails'],
    ['/token', 'garbles'],
    ['/userinfo', 'fails'],
    ['/userinfo', 'floods'],
  ];
  for (const [path, fault] of broken) {
    it(`reports the provider as unavailable while its ${path} ${fault}`, async () => {
      service.provider.next.broken = { [path]: fault };
      const failed = await readFailure(await browser().visit('/sign-in/'));
      expect(failed).to.include({ status: 503, code: 'identity_unavailable' });
      expect(failed.detail).to.not.include(service.provider.issuer);
    });
  }

  it('has a time limit for the provider', async () => {
    service.provider.next.broken = { '/token': 'stalls' };
    expect(await readFailure(await browser().visit('/sign-in/'))).to.include({
      status: 503,
      code: 'identity_unavailable',
    });
  });

  describe('does not let pages of other sites act', () => {
    let person: Browser;
    beforeEach(async () => {
      person = await signedIn('target');
    });
    const put = (headers: Record<string, string>) =>
      person.request('/user/email-updates/', {
        method: 'PUT',
        body: '{"enable":true}',
        headers: { ...JSON_TYPE, ...headers },
      });
    const rejected: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.insight.example' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: PUBLIC_URL },
      { 'Sec-Fetch-Site': '', Origin: PUBLIC_URL },
    ];
    for (const headers of rejected) {
      it(`by a request with ${JSON.stringify(headers)}`, async () => {
        expect(await readFailure(await put(headers))).to.include({ status: 403, code: 'cross_site_request' });
        expect(await readFailure(await person.request('/sign-out/', { method: 'POST', headers }))).to.include({
          status: 403,
        });
      });
    }

    it('by a request without an origin, but accepts one with the own Origin', async () => {
      const cookie = `${SESSION}=${person.cookies.get(SESSION)?.value}`;
      const send = (headers: Record<string, string>) =>
        service.demo.get('/user/email-updates/', {
          method: 'PUT',
          body: '{"enable":true}',
          headers: { ...JSON_TYPE, Cookie: cookie, ...headers },
        });
      expect((await send({})).status).to.equal(403);
      expect((await send({ Origin: 'null' })).status).to.equal(403);
      expect((await send({ Origin: `${PUBLIC_URL}.evil.example` })).status).to.equal(403);
      expect((await send({ Origin: PUBLIC_URL })).status).to.equal(200);
    });

    it('but accepts their requests with a token, because they would have to know it', async () => {
      const headers = { ...JSON_TYPE, Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site' };
      const response = await service.demo.as('target', '/user/email-updates/', {
        method: 'PUT',
        body: '{"enable":true}',
        headers,
      });
      expect(response.status).to.equal(200);
    });

    it('because no answer allows credentials', async () => {
      const asked = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT' };
      const headers = { ...asked, 'Access-Control-Request-Headers': 'content-type' };
      for (const method of ['OPTIONS', 'GET']) {
        const response = await person.request('/user/', { method, headers });
        expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
        expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      }
    });
  });
}

/** Defines the tests that depend on the database. */
function browserSessions(service: SignInService): void {
  const { browser, signedIn } = peopleOf(service);
  ownSessions(service, { browser, signedIn }, SESSION);

  it('identifies the same user as a token of the same account', async () => {
    const person = await signedIn('both');
    const bySession = await (await person.request('/user/')).json();
    expect(bySession).to.deep.equal(await (await service.demo.as('both', '/user/')).json());
  });

  it('identifies another user than a token of another issuer with the same sub, except for GitHub accounts', async () => {
    const ids = async (sub: string) => {
      service.provider.next.claims = { sub, nickname: 'same' };
      const person = browser();
      await person.visit('/sign-in/');
      const headers = { Authorization: `Bearer ${await tokenOf('same', { sub })}` };
      const answers = [await person.request('/user/'), await service.demo.get('/user/', { headers })];
      return Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: number }).id));
    };
    for (const sub of ['same-1', 'auth0|same-2', 'https://id.example|same-3']) {
      const [bySession, byToken] = await ids(sub);
      expect([bySession, byToken], sub).to.satisfy(([one, two]: number[]) => one !== two && Number.isInteger(one));
    }
    for (const sub of ['host|991', 'github|992']) {
      const [bySession, byToken] = await ids(sub);
      expect(bySession, sub).to.be.a('number').and.equal(byToken);
    }
  });

  it('creates a new session id at every sign-in, even if the browser sends one', async () => {
    const person = await signedIn('fixed');
    const before = person.cookies.get(SESSION);
    const another = browser();
    if (before !== undefined) another.cookies.set(SESSION, before);
    await person.visit('/sign-in/?return_to=/user/');
    expect(person.cookies.get(SESSION)?.value).to.not.equal(before?.value);
    expect((await person.request('/user/')).status).to.equal(200);
    expect(await readFailure(await another.request('/user/'))).to.include({ status: 401, code: 'credential_missing' });
  });

  it('ends with the sign-out, in the service, too', async () => {
    const person = await signedIn('leaver');
    const stolen = person.cookies.get(SESSION);
    expect((await person.request('/sign-out/', { method: 'POST' })).status).to.equal(204);
    expect([...person.cookies.keys()]).to.deep.equal([]);
    if (stolen !== undefined) person.cookies.set(SESSION, stolen);
    expect((await person.request('/user/')).status).to.equal(401);
    expect((await browser().request('/sign-out/', { method: 'POST' })).status).to.equal(204);
  });

  it('rejects sessions that it did not sign', async () => {
    const person = await signedIn('signed');
    const { value = '' } = person.cookies.get(SESSION) ?? {};
    for (const wrong of [
      '',
      's%3Aabc',
      `${value}x`,
      decodeURIComponent(value).slice(2).split('.')[0] ?? '',
      '%E0%A4',
    ]) {
      person.cookies.set(SESSION, { value: wrong, attributes: [] });
      expect((await person.request('/user/')).status, wrong).to.equal(401);
    }
  });

  it('keeps at most ten sessions per user and deletes the oldest', async () => {
    const first = await signedIn('many');
    const later: Browser[] = [];
    for (let count = 0; count < 10; count++) later.push(await signedIn('many'));
    const alive = await Promise.all([first, ...later].map(async (one) => (await one.request('/user/')).status));
    expect(alive).to.deep.equal([401, ...later.map(() => 200)]);
  });

  it('rejects the redirect back in another browser, and its repetition', async () => {
    const person = browser();
    const { back } = await person.begin();
    expect((await readFailure(await browser().request(back))).code).to.equal('sign_in_failed');
    const pending = new Map(person.cookies);
    expect((await person.request(back)).status).to.equal(303);
    expect((await readFailure(await person.request(back))).code).to.equal('sign_in_failed');
    for (const [name, cookie] of pending) person.cookies.set(name, cookie);
    expect((await readFailure(await person.request(back))).detail).to.match(/already used/);
  });
}

function peopleOf(service: SignInService) {
  const browser = () => new Browser(PUBLIC_URL, service.demo);
  const signedIn = async (login: string) => {
    service.provider.next.claims = { sub: `host|${login}`, nickname: login };
    const person = browser();
    await person.visit('/sign-in/?return_to=/user/');
    return person;
  };
  return { browser, signedIn };
}

async function readFailure(response: Response) {
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return { status: response.status, code, detail };
}

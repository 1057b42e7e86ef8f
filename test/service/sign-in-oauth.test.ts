import { expect } from 'chai';
import { Browser } from './browser.js';
import { type DemoService, SYSTEM_TIME, startDemoService, tokenOf } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { type Fault, type OauthTestProvider, startOauthProvider, TOKEN_MARK } from './oauth-provider.js';

const PUBLIC_URL = 'https://insight.example';
const ADA = { id: 7, login: 'ada', name: null, email: null, avatar_url: '', site_admin: false };

describe('signing in at a plain OAuth 2 provider', () => {
  let provider: OauthTestProvider;
  let demo: DemoService;
  let time = SYSTEM_TIME;

  before(async () => {
    provider = await startOauthProvider();
    const settings = { ...provider.environment, PUBLIC_URL, ENDPOINTS_DIR: FEW_ENDPOINTS };
    demo = await startDemoService(settings, { systemClock: () => time });
  });
  after(async () => {
    await demo.close();
    await provider.close();
  });
  beforeEach(() => {
    Object.assign(provider.next, { user: ADA, faults: {}, wrongWay: {} });
    provider.asked.length = 0;
  });
  afterEach('no token, code or secret is in the log', () => {
    expect(JSON.stringify(demo.log)).to.not.match(new RegExp(`${TOKEN_MARK}|code=|verifier|a secret of`));
  });

  const browser = () => new Browser(PUBLIC_URL, demo);
  const visit = () => browser().visit('/sign-in/?return_to=/user/');
  const readFailure = async (response: Response) => {
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return { status: response.status, code, detail };
  };
  const visitAndFail = async () => readFailure(await visit());

  it('redirects to the provider and back, and creates the user of the provider', async () => {
    provider.next.user = {
      ...ADA,
      id: 583231,
      login: 'octo',
      name: 'Octo Cat',
      email: 'octo@example.org',
      avatar_url: 'https://pictures.example/octo.png',
    };
    const response = await visit();
    expect(response.status).to.equal(200);
    const { id: _, createdAt: _1, ...user } = (await response.json()) as Record<string, unknown>;
    expect(user).to.deep.equal({
      name: 'Octo Cat',
      emailAddress: 'octo@example.org',
      emailGetUpdates: false,
      hostId: null,
      hostLogin: 'octo',
      avatarUrl: 'https://pictures.example/octo.png',
    });
    expect(provider.asked).to.deep.equal(['/authorize', '/token', '/user']);
  });

  it('uses the code flow with PKCE and state, with new values every time, and no scope', async () => {
    const [one, two] = [
      (await browser().begin()).provider.searchParams,
      (await browser().begin()).provider.searchParams,
    ];
    const { state, code_challenge: challenge, ...asked } = Object.fromEntries(one);
    expect(asked).to.deep.equal({
      response_type: 'code',
      client_id: 'insight-client',
      redirect_uri: `${PUBLIC_URL}/sign-in/callback/`,
      code_challenge_method: 'S256',
    });
    for (const value of [state, challenge]) expect(value).to.match(/^[\w-]{40,}$/);
    expect([two.get('state') === state, two.get('code_challenge') === challenge]).to.deep.equal([false, false]);
  });

  for (const id of [42, '42-a', 'a|b', 'x'.repeat(185)]) {
    it(`identifies the same user as a token of the same account: ${JSON.stringify(id)}`, async () => {
      provider.next.user = { ...ADA, id };
      const bySession = await (await visit()).json();
      const headers = { Authorization: `Bearer ${await tokenOf('ada', { sub: `tests|${id}`, iat: 1_000 })}` };
      expect(await (await demo.get('/user/', { headers })).json()).to.deep.equal(bySession);
    });
  }

  it('updates the user with later data of the provider', async () => {
    const first = (await (await visit()).json()) as { id: number };
    provider.next.user = { ...ADA, login: 'countess' };
    // Data from the same second as the stored data are ignored.
    expect(await (await visit()).json()).to.include({ id: first.id, hostLogin: 'ada' });
    time = new Date(time.getTime() + 1_000);
    expect(await (await visit()).json()).to.include({ id: first.id, hostLogin: 'countess' });
  });

  it('stores the valid part of the name and the e-mail address', async () => {
    const keptOf = async (user: object) => {
      provider.next.user = { ...ADA, id: `kept-${JSON.stringify(user).length}`, ...user };
      const { name, emailAddress } = (await (await visit()).json()) as Record<string, unknown>;
      return [name, emailAddress];
    };
    const email = 'ada@example.org';
    expect(await keptOf({ name: 'x'.repeat(300), email })).to.deep.equal(['x'.repeat(255), email]);
    expect(await keptOf({ name: 'Ada\r\nLovelace', email: `${email}\n` })).to.deep.equal(['Ada Lovelace', '']);
    expect(await keptOf({ name: ['Ada'], email: [email] })).to.deep.equal(['', '']);
    expect(await keptOf({ name: 7, email: 'x'.repeat(256) })).to.deep.equal(['', '']);
  });

  it('omits an invalid picture URL', async () => {
    provider.next.user = { ...ADA, avatar_url: 'javascript:alert(1)' };
    expect(await (await visit()).json()).to.include({ avatarUrl: '' });
  });

  const ID = /"id" of the user: a whole number below 2\^53, or text of 1 to 185 characters/;
  const users: readonly (readonly [string, unknown, RegExp])[] = [
    ['without an id', { login: 'ada' }, ID],
    ['with an id that is null', { ...ADA, id: null }, ID],
    ['with an empty id', { ...ADA, id: '' }, ID],
    ['with a broken id', { ...ADA, id: 1.5 }, ID],
    ['with an id that was rounded', { ...ADA, id: 2 ** 53 }, ID],
    ['with an id that is an object', { ...ADA, id: { toString: '7' } }, ID],
    ['with too long an id', { ...ADA, id: 'x'.repeat(186) }, ID],
    ['with an id of two lines', { ...ADA, id: '7\n8' }, ID],
    ['without a login', { id: 7 }, /"login" of the user: text of 1 to 255/],
    ['with an empty login', { ...ADA, login: '' }, /"login"/],
    ['with a login that is a number', { ...ADA, login: 7 }, /"login"/],
    ['with a login of control characters', { ...ADA, login: 'a\u001b[2Jb' }, /"login"/],
    ['with a login of zero width', { ...ADA, login: 'a\u200bda' }, /"login"/],
  ];
  for (const [what, user, words] of users) {
    it(`rejects a user ${what}`, async () => {
      provider.next.user = user;
      const { detail, ...failed } = await visitAndFail();
      expect(failed).to.deep.equal({ status: 400, code: 'sign_in_failed' });
      expect(detail).to.match(words);
    });
  }

  const ways: readonly (readonly [string, Record<string, string | null>, RegExp])[] = [
    ['with another state', { state: 'another' }, /did not start the sign-in/],
    ['without a state', { state: null }, /did not start the sign-in/],
    ['without a code', { code: null }, /no authorization code|invalid response/],
    ['with an unknown code', { code: 'guessed' }, /the provider sent the error bad_verification_code/],
    [
      'of a user who denied access',
      { code: null, error: 'access_denied' },
      /the provider sent the error access_denied/,
    ],
    ['with an invalid error code', { code: null, error: '<b>' }, /the provider sent the error \(unknown\)/],
  ];
  for (const [what, wrongWay, words] of ways) {
    it(`rejects a redirect back ${what}`, async () => {
      provider.next.wrongWay = wrongWay;
      const { detail, ...failed } = await visitAndFail();
      expect(failed).to.deep.equal({ status: 400, code: 'sign_in_failed' });
      expect(detail).to.match(words);
      expect(provider.asked).to.not.include('/user');
    });
  }

  it('rejects the code of another browser', async () => {
    const [person, thief] = [browser(), browser()];
    const [theirs, own] = [await person.begin(), await thief.begin()].map(({ back }) => new URL(back, PUBLIC_URL));
    own?.searchParams.set('code', theirs?.searchParams.get('code') ?? '');
    const failed = await readFailure(await thief.request(`${own?.pathname}${own?.search}`));
    expect(failed).to.include({ status: 400, code: 'sign_in_failed' });
    expect(failed.detail).to.include('bad_verification_code');
  });

  const token = (more: object) => ({ body: JSON.stringify({ access_token: `${TOKEN_MARK}_1`, ...more }) });
  const tokenFaults: readonly (readonly [string, Fault, number, RegExp])[] = [
    [
      'an error with status 200',
      { body: '{"error":"unverified_user_email"}' },
      400,
      /sent the error unverified_user_email/,
    ],
    [
      'an error of the standard',
      { status: 400, body: '{"error":"invalid_grant"}' },
      400,
      /sent the error invalid_grant/,
    ],
    ['an error and a token', token({ error: 'bad_verification_code' }), 400, /sent the error bad_verification_code/],
    ['a token without a type', token({}), 400, /invalid response/],
    ['a token of another type', token({ token_type: 'mac' }), 400, /unsupported operation/],
    ['no token', { body: '{"token_type":"bearer"}' }, 400, /invalid response/],
    [
      'a token of two lines',
      token({ access_token: `${TOKEN_MARK}\n1`, token_type: 'bearer' }),
      400,
      /invalid access token/,
    ],
    ['that the secret is wrong', { body: '{"error":"incorrect_client_credentials"}' }, 503, /does not answer/],
    ['a form', { body: `access_token=${TOKEN_MARK}&token_type=bearer` }, 503, /does not answer/],
    ['a token and nothing else', { body: TOKEN_MARK }, 503, /does not answer/],
    ['a list', { body: `["${TOKEN_MARK}"]` }, 503, /does not answer/],
    ['an error with status 500', { status: 500, body: `{"access_token":"${TOKEN_MARK}"}` }, 503, /does not answer/],
    ['a redirect', 'redirects', 503, /does not answer/],
    ['more than a megabyte', 'floods', 503, /does not answer/],
  ];
  for (const [what, fault, status, words] of tokenFaults) {
    it(`does not request the user if the answer to the code is ${what}`, async () => {
      provider.next.faults = { '/token': fault };
      const failed = await visitAndFail();
      expect(failed).to.include({ status, code: status === 400 ? 'sign_in_failed' : 'identity_unavailable' });
      expect(failed.detail).to.match(words);
      expect(provider.asked).to.deep.equal(['/authorize', '/token']);
    });
  }

  describe('that shows private e-mail addresses', () => {
    let other: DemoService;
    before(async () => {
      const settings = { ...provider.environment, PUBLIC_URL, ENDPOINTS_DIR: FEW_ENDPOINTS };
      other = await startDemoService({ ...settings, OIDC_SCOPES: 'user:email' }, { systemClock: () => time });
    });
    after(() => other.close());
    const ada = (email: string, more: object = {}) => ({ email, primary: true, verified: true, ...more });
    const first = ada('first@example.org', { primary: false });

    const lists: readonly (readonly [string, unknown, string])[] = [
      ['the primary verified one', [first, ada('ada@example.org')], 'ada@example.org'],
      ['none if the primary one is not verified', [first, ada('ada@example.org', { verified: false })], ''],
      ['none if the flags are not booleans', [ada('ada@example.org', { verified: 'true' })], ''],
      ['none of an empty list', [], ''],
      ['none of another form', [null, 7, 'ada@example.org', { email: 'a@b.example' }], ''],
      ['none of an object', { message: 'none' }, ''],
    ];
    for (const [index, [what, emails, expected]] of lists.entries()) {
      it(`stores ${what}`, async () => {
        Object.assign(provider.next, { user: { ...ADA, id: `private-${index}` }, emails });
        const response = await new Browser(PUBLIC_URL, other).visit('/sign-in/?return_to=/user/');
        expect(await response.json()).to.include({ emailAddress: expected });
        expect(provider.asked).to.deep.equal(['/authorize', '/token', '/user', '/user/emails']);
      });
    }

    it('is not asked for a public address, and not without its scope', async () => {
      provider.next.emails = [ada('private@example.org')];
      provider.next.user = { ...ADA, id: 'public-1', email: 'public@example.org' };
      const response = await new Browser(PUBLIC_URL, other).visit('/sign-in/?return_to=/user/');
      expect(await response.json()).to.include({ emailAddress: 'public@example.org' });
      provider.next.user = { ...ADA, id: 'public-2' };
      expect(await (await visit()).json()).to.include({ emailAddress: '' });
      expect(provider.asked).to.not.include('/user/emails');
    });

    it('can reject the request, but a failure ends the sign-in and deletes no address', async () => {
      const status = async (fault: Fault) => {
        Object.assign(provider.next, { user: { ...ADA, id: 'rejected' }, faults: { '/user/emails': fault } });
        return (await new Browser(PUBLIC_URL, other).visit('/sign-in/?return_to=/user/')).status;
      };
      expect(await status({ status: 403, body: '{}' })).to.equal(200);
      expect(await status('redirects')).to.equal(200);
      expect(await status({ status: 502, body: '{}' })).to.equal(503);
      expect(await status({ status: 429, body: '{}' })).to.equal(503);
      expect(await status({ body: `<p>${TOKEN_MARK}</p>` })).to.equal(503);
      expect(await status('floods')).to.equal(503);
      expect(JSON.stringify(other.log)).to.not.include(TOKEN_MARK);
    });
  });

  const userFaults: readonly (readonly [string, Fault])[] = [
    ['with status 500', { status: 500, body: '{}' }],
    ['with status 401', { status: 401, body: '{"message":"Bad credentials"}' }],
    ['with status 204', { status: 204, body: '' }],
    ['with a redirect', 'redirects'],
    ['with more than a megabyte', 'floods'],
    ['with a list', { body: '[{"id":7,"login":"ada"}]' }],
    ['with null', { body: 'null' }],
    ['with a page', { body: '<p>Not what you want</p>' }],
  ];
  for (const [what, fault] of userFaults) {
    it(`reports the provider as unavailable if it answers the request for the user ${what}`, async () => {
      provider.next.faults = { '/user': fault };
      const person = browser();
      const failed = await readFailure(await person.visit('/sign-in/'));
      expect(failed).to.include({ status: 503, code: 'identity_unavailable' });
      expect(failed.detail).to.not.include('127.0.0.1');
      expect([...person.cookies.keys()]).to.deep.equal([]);
      expect(provider.asked).to.not.include('/elsewhere');
    });
  }

  it('logs why the provider counts as unavailable', async () => {
    const loggedOf = async (faults: Record<string, Fault>) => {
      const before = demo.log.length;
      provider.next.faults = faults;
      await visitAndFail();
      return JSON.stringify(demo.log.slice(before));
    };
    const wrong = { '/token': { body: '{"error":"incorrect_client_credentials"}' } };
    expect(await loggedOf(wrong)).to.include('incorrect_client_credentials');
    const page = { '/user': { status: 502, body: '<p>Bad gateway</p>' } };
    expect(await loggedOf(page)).to.include('no JSON object: status 502');
  });

  it('has a time limit for the end of an answer', async () => {
    provider.next.faults = { '/user': 'drips' };
    expect(await visitAndFail()).to.include({ status: 503, code: 'identity_unavailable' });
  });
});

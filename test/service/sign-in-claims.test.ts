import { expect } from 'chai';
import { Browser } from './browser.js';
import { startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { startProvider, type TestProvider } from './sign-in-provider.js';
import { PUBLIC_URL, useSignIn } from './sign-in-service.js';

const FIREWORKS = 'Ada \u{1F9D1}\u200D\u{1F52C}';

describe('an OpenID Connect sign-in', () => {
  const service = useSignIn();
  afterEach('the log has no token', () => {
    expect(JSON.stringify(service.demo.log)).to.not.match(/eyJ|access_token|secret-access/);
  });

  const visit = () => new Browser(PUBLIC_URL, service.demo).visit('/sign-in/?return_to=/user/');
  const readFailure = async () => {
    const response = await visit();
    const { code, detail } = (await response.json()) as { code?: string; detail?: string };
    return { status: response.status, code, detail };
  };
  const TOKEN = 'secret-access-token';
  const answers: readonly (readonly [string, string, number, string])[] = [
    ['the token as a form', '/token', 200, `${TOKEN}&token_type=bearer`],
    ['the token as broken JSON', '/token', 200, `{"access_token":"${TOKEN}"`],
    ['the token with a rejection of the client', '/token', 401, `{"error":"invalid_client","x":"${TOKEN}"}`],
    ['the token with an error', '/token', 500, `{"error":"server_error","error_description":"${TOKEN}"}`],
    ['the token and its owner as a text', '/userinfo', 200, TOKEN],
    ['an error about the token', '/userinfo', 500, `{"error":"${TOKEN}"}`],
  ];
  for (const [what, path, status, body] of answers) {
    it(`answers 503 to ${what}, and logs a reason without it`, async () => {
      service.provider.next.texts = { [path]: { status, body } };
      const before = service.demo.log.length;
      expect(await readFailure()).to.include({ status: 503, code: 'identity_unavailable' });
      const lines = JSON.stringify(service.demo.log.slice(before));
      expect(lines)
        .to.match(/does not answer at the moment/)
        .and.not.include('secret-');
      if (status === 401) expect(lines).to.include('invalid_client');
      if (status === 500) expect(lines).to.include('500');
    });
  }

  let people = 0;
  /** Signs in a new account and returns its stored user. */
  const userOf = async (claims: Record<string, unknown>, userInfo: Record<string, unknown> = {}) => {
    people += 1;
    const sub = `tests|${people}`;
    Object.assign(service.provider.next, { claims: { sub, nickname: 'ada', ...claims }, userInfo });
    const response = await visit();
    expect(response.status, JSON.stringify(claims).slice(0, 200)).to.equal(200);
    return (await response.json()) as Record<string, unknown>;
  };

  const others: readonly (readonly [string, Partial<TestProvider['next']>, RegExp])[] = [
    ['of the type logout+jwt', { header: { typ: 'logout+jwt' } }, /does not accept the type of the token/],
    ['of the type at+jwt', { header: { typ: 'at+jwt' } }, /does not accept the type of the token/],
    ['of the type application/dpop+jwt', { header: { typ: 'application/dpop+jwt' } }, /type of the token/],
    ['whose type is a number', { header: { typ: 7 } }, /does not accept the type of the token/],
    ['with events', { wrong: { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } } }, /"events"/],
    ['with a foreign authorized party', { wrong: { azp: 'another' } }, /"azp"/],
    ['with an authorized party that is a list', { wrong: { azp: ['insight-client'] as never } }, /"azp"/],
    [
      'for this client and another one',
      { wrong: { aud: ['insight-client', 'another'] } },
      /"aud"|unexpected JWT claim/,
    ],
    [
      'for this client and another one, with this one as its party',
      { wrong: { aud: ['insight-client', 'another'], azp: 'insight-client' } },
      /"aud"/,
    ],
  ];
  for (const [what, fault, words] of others) {
    it(`fails with an ID token ${what}`, async () => {
      Object.assign(service.provider.next, fault);
      const { detail, ...failed } = await readFailure();
      expect(failed).to.deep.equal({ status: 400, code: 'sign_in_failed' });
      expect(detail).to.match(words);
    });
  }

  for (const [what, right] of [
    ['of the type JWT', { header: { typ: 'JWT' } }],
    ['of the type application/jwt', { header: { typ: 'application/jwt' } }],
    ['for this client as its own party', { wrong: { aud: ['insight-client'], azp: 'insight-client' } }],
  ] as const) {
    it(`succeeds with an ID token ${what}`, async () => {
      Object.assign(service.provider.next, right);
      expect((await visit()).status).to.equal(200);
    });
  }

  it('keeps an e-mail address only when the source of the address says that it is verified', async () => {
    const email = 'ada@example.org';
    expect((await userOf({ email, email_verified: true })).emailAddress).to.equal(email);
    for (const verified of [false, 'false', 'true', 0, 1, null, undefined, [], {}]) {
      const { emailAddress } = await userOf({ email, email_verified: verified });
      expect(emailAddress, JSON.stringify(verified)).to.equal('');
    }
    service.provider.next.wrong = { email: 'verified@example.org', email_verified: true };
    expect((await userOf({}, { email })).emailAddress).to.equal('');
    expect((await userOf({}, {})).emailAddress).to.equal('verified@example.org');
  });

  const names: readonly (readonly [unknown, string])[] = [
    ['x'.repeat(300), 'x'.repeat(255)],
    ['\u{1F600}'.repeat(300), '\u{1F600}'.repeat(255)],
    ['Ada\r\nLovelace\u0007', 'Ada Lovelace'],
    ['Ada\u202Eecalevol', 'Adaecalevol'],
    ['Ada\u200B\u00ADLovelace', 'AdaLovelace'],
    ['Ada\uD800', 'Ada'],
    ['Jose\u0301', 'Jos\u00e9'],
    [FIREWORKS, FIREWORKS],
    [['Ada'], ''],
    [7, ''],
  ];
  for (const [name, kept] of names) {
    it(`succeeds with the name ${JSON.stringify(name).slice(0, 30)}, and stores the valid part`, async () => {
      expect((await userOf({ name })).name).to.equal(kept);
    });
  }

  for (const email of ['ada@example.org\nBcc: all@example.org', `${'x'.repeat(250)}@example.org`, ['a@b'], 7]) {
    it(`succeeds without the e-mail address ${JSON.stringify(email).slice(0, 40)}`, async () => {
      expect((await userOf({ email, email_verified: true })).emailAddress).to.equal('');
    });
  }

  const lookAlikes = [
    ...['\u00AD', '\u034F', '\u061C', '\u180E', '\u200B', '\u200C', '\u200D', '\u200E', '\u200F', '\u202A', '\u202E'],
    ...['\u2060', '\u2064', '\u2066', '\u2069', '\u2800', '\u3164', '\uFE0F', '\uFEFF', '\u{E0061}', '\u{E0100}'],
    ...['\u0000', '\n', '\u0085', '\u2028', '\uD800', '\u00A0', '\u3000'],
  ];
  it('fails with a login that has characters that cannot be seen', async () => {
    for (const character of lookAlikes) {
      service.provider.next.claims = { sub: 'tests|similar-name', nickname: `a${character}da` };
      const { detail, ...failed } = await readFailure();
      const name = character.codePointAt(0)?.toString(16);
      expect(failed, name).to.deep.equal({ status: 400, code: 'sign_in_failed' });
      expect(detail, name).to.match(/claim "nickname"/);
    }
  });

  it('keeps one spelling of a login: composed, without spaces around it', async () => {
    expect((await userOf({ nickname: ' jose\u0301 ' })).hostLogin).to.equal('jos\u00e9');
  });

  it('answers 503 if the provider sends keys without an end, and stops reading', async () => {
    const endless = await startProvider();
    endless.next.broken = { '/keys': 'endless' };
    const other = await startDemoService({ ...endless.environment, PUBLIC_URL, ENDPOINTS_DIR: FEW_ENDPOINTS });
    try {
      expect((await new Browser(PUBLIC_URL, other).visit('/sign-in/')).status).to.equal(503);
      expect(endless.sent.endless).to.be.within(1_048_576, 32 * 1_048_576);
    } finally {
      await other.close();
      await endless.shut();
    }
  });

  it('succeeds directly after a rotation of the key', async () => {
    expect((await visit()).status).to.equal(200);
    await service.provider.rotate();
    expect((await visit()).status).to.equal(200);
  });
});

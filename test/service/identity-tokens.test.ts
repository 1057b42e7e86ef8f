import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createTokenReader } from '../../accounts/identity/bearer-tokens.js';
import { type DemoService, JWT_SECRET, SYSTEM_TIME, startDemoService, tokenOf } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { rawRequest } from './raw-request.js';
import { startProvider, type TestProvider } from './sign-in-provider.js';

const now = () => SYSTEM_TIME.getTime() / 1_000;

describe('tokens with published keys', () => {
  let issuer: TestProvider;
  let demo: DemoService;
  before(async () => {
    issuer = await startProvider();
    demo = await startDemoService({
      JWT_ISSUER: issuer.issuer,
      JWT_JWKS_URL: issuer.url('/keys'),
      JWT_SECRET: '',
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    });
  });
  after(async () => {
    await demo.close();
    await issuer.shut();
  });

  const claims = (): JWTPayload => ({
    iss: issuer.issuer,
    aud: 'repo-insight',
    sub: 'host|1',
    nickname: 'ada',
    iat: now(),
    exp: now() + 600,
  });
  const call = async (token: string) => {
    const response = await demo.get('/user/', { headers: { Authorization: `Bearer ${token}` } });
    const { code, detail } = (await response.json()) as { code?: string; detail?: string };
    return { status: response.status, code, detail, challenge: response.headers.get('www-authenticate') };
  };
  const publicKey = async () => {
    const { keys } = (await (await fetch(issuer.url('/keys'))).json()) as { keys: Record<string, string>[] };
    return keys[0] ?? {};
  };

  it('identify their user', async () => {
    expect(await call(await issuer.sign(claims()))).to.include({ status: 200 });
    expect(await call(await issuer.sign({ ...claims(), aud: ['other', 'repo-insight'] }))).to.include({ status: 200 });
  });

  const attacks: Record<string, readonly [() => Promise<string> | string, RegExp]> = {
    'signed by another key under the same id': [
      async () => forged(claims(), (await publicKey()).kid ?? ''),
      /signature of the token is invalid/,
    ],
    'signed by a key of an unknown id': [
      () => forged(claims(), 'unknown'),
      /does not publish the key of the signature/,
    ],
    'whose claims were changed': [
      async () => {
        const [head, , signature] = (await issuer.sign(claims())).split('.');
        return [head, encoded({ ...claims(), sub: 'host|2' }), signature].join('.');
      },
      /signature of the token is invalid/,
    ],
    'that has expired': [() => issuer.sign({ ...claims(), exp: now() - 31 }), /has expired/],
    'that does not hold yet': [() => issuer.sign({ ...claims(), nbf: now() + 60 }), /claim "nbf"/],
    'for another audience': [() => issuer.sign({ ...claims(), aud: 'other' }), /claim "aud"/],
    'without an audience': [() => issuer.sign({ ...claims(), aud: undefined }), /claim "aud"/],
    'of another issuer': [() => issuer.sign({ ...claims(), iss: `${issuer.issuer}/` }), /claim "iss"/],
    'without a subject': [() => issuer.sign({ ...claims(), sub: undefined }), /claim "sub"/],
    'of an empty subject': [() => issuer.sign({ ...claims(), sub: '' }), /claim "sub"/],
    'whose subject is a number': [() => issuer.sign({ ...claims(), sub: 1 }), /claim "sub"/],
    'of a subject of 192 characters': [() => issuer.sign({ ...claims(), sub: 'x'.repeat(192) }), /claim "sub"/],
    'without an end': [() => issuer.sign({ ...claims(), exp: undefined }), /claim "exp"/],
    'whose end is text': [() => issuer.sign({ ...claims(), exp: '9999999999' }), /claim "exp"/],
    'with a login of two lines': [() => issuer.sign({ ...claims(), nickname: 'a\nb' }), /claim "nickname"/],
    'with a login that contains a direction mark': [
      () => issuer.sign({ ...claims(), nickname: 'a\u202Eb' }),
      /claim "nickname"/,
    ],
    'with a login of zero width': [() => issuer.sign({ ...claims(), nickname: 'a\u200Bda' }), /claim "nickname"/],
    'without a login, whose subject looks like another one': [
      () => issuer.sign({ ...claims(), sub: 'host|a\u200Bda', nickname: '' }),
      /claim "sub"/,
    ],
    'of the type logout+jwt': [
      () => issuer.sign(claims(), { typ: 'logout+jwt' }),
      /does not accept the type of the token/,
    ],
    'of the type Application/DPoP+JWT': [() => issuer.sign(claims(), { typ: 'Application/DPoP+JWT' }), /type of the/],
    'of the type secevent+jwt': [() => issuer.sign(claims(), { typ: 'secevent+jwt' }), /type of the token/],
    'of an empty type': [() => issuer.sign(claims(), { typ: '' }), /type of the token/],
    'whose type is a list': [() => issuer.sign(claims(), { typ: ['JWT'] }), /type of the token|no token|not a token/],
    'that reports events': [
      () => issuer.sign({ ...claims(), events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
      /claim "events"/,
    ],
    'that reports no events': [() => issuer.sign({ ...claims(), events: null }), /claim "events"/],
    'of a sign-in (claim nonce)': [() => issuer.sign({ ...claims(), nonce: 'n' }), /is an ID token \(claim "nonce"\)/],
    'of a sign-in (empty claim nonce)': [() => issuer.sign({ ...claims(), nonce: '' }), /ID token \(claim "nonce"\)/],
    'of a sign-in (claim at_hash)': [() => issuer.sign({ ...claims(), at_hash: 'h' }), /ID token \(claim "at_hash"\)/],
    'of a sign-in (claim c_hash)': [() => issuer.sign({ ...claims(), c_hash: 'h' }), /ID token \(claim "c_hash"\)/],
    'of a sign-in (claim s_hash)': [() => issuer.sign({ ...claims(), s_hash: 'h' }), /ID token \(claim "s_hash"\)/],
    'of a sign-in at Keycloak': [() => issuer.sign({ ...claims(), typ: 'ID' }), /ID token \(claim "typ"\)/],
    'of a sign-in at Cognito': [() => issuer.sign({ ...claims(), token_use: 'id' }), /ID token \(claim "token_use"\)/],
    'of a sign-in of a client with the name of the audience': [
      () => issuer.sign({ ...claims(), azp: 'repo-insight' }),
      /ID token \(claim "azp"\)/,
    ],
    'with the hash of an access token and the claims of one': [
      () => issuer.sign({ ...claims(), at_hash: 'h', typ: 'Bearer', scope: 'openid' }, { typ: 'JWT' }),
      /ID token \(claim "at_hash"\)/,
    ],
    'whose login is a list': [() => issuer.sign({ ...claims(), nickname: ['a'] }), /claim "nickname"/],
    'of the algorithm none': [
      () =>
        new UnsecuredJWT(claims())
          .setIssuer(issuer.issuer)
          .setAudience('repo-insight')
          .setExpirationTime('1h')
          .encode(),
      /does not accept the algorithm/,
    ],
    'of the algorithm nOnE, with a signature': [
      () => [encoded({ alg: 'nOnE' }), encoded(claims()), 'AAAA'].join('.'),
      /does not accept the algorithm/,
    ],
    'signed by HMAC with the published key as the secret': [
      async () => {
        const { kid = '', ...jwk } = await publicKey();
        const secret = new TextEncoder().encode(JSON.stringify({ kid, ...jwk }));
        return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
      },
      /does not accept the algorithm/,
    ],
    'that brings its key': [
      async () => {
        const { privateKey, publicKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        const header = { alg: 'RS256', jwk: await exportJWK(key) };
        return new SignJWT(claims()).setProtectedHeader(header as never).sign(privateKey);
      },
      /signature of the token is invalid/,
    ],
    'with a URL for its keys': [
      async () => {
        const kid = (await publicKey()).kid ?? '';
        return forged(claims(), kid, { jku: issuer.url('/evil'), x5u: issuer.url('/evil'), x5c: ['AAAA'] });
      },
      /signature of the token is invalid/,
    ],
    'with a header that must be understood': [
      () => [encoded({ alg: 'RS256', crit: ['made-up'], 'made-up': 1 }), encoded(claims()), 'AAAA'].join('.'),
      /contains an unsupported value/,
    ],
    'whose claims are not encoded': [
      async () => {
        const [, , signature] = (await issuer.sign(claims())).split('.');
        return [encoded({ alg: 'RS256', b64: false, crit: ['b64'] }), JSON.stringify(claims()), signature].join('.');
      },
      /./,
    ],
    'of 8,193 characters': [() => 'a'.repeat(8_193), /longer than 8192 characters/],
    'that is not a token': [() => 'abc', /The credential is not a token/],
    'of five parts': [() => 'a.b.c.d.e', /The credential is not a token/],
    'of empty parts': [() => '..', /The credential is not a token/],
  };
  for (const [what, [make, words]] of Object.entries(attacks)) {
    it(`are rejected ${what}`, async () => {
      const { detail, ...answer } = await call(await make());
      expect(answer).to.deep.equal({
        status: 401,
        code: 'credential_invalid',
        challenge: 'Bearer realm="repo-insight", error="invalid_token"',
      });
      expect(detail).to.match(words);
    });
  }

  it('are accepted with the type of an access token in any case of letters', async () => {
    for (const typ of [undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/JWT']) {
      const { status } = await call(await issuer.sign(claims(), { ...(typ !== undefined && { typ }) }));
      expect(status, typ).to.equal(200);
    }
  });

  const accessTokens: Readonly<Record<string, readonly [claims: JWTPayload, typ: string]>> = {
    'RFC 9068': [
      { client_id: 'spa', scope: 'openid read', auth_time: 1, acr: '1', amr: ['pwd'], nonce: 'n' },
      'at+jwt',
    ],
    Auth0: [{ aud: ['repo-insight', 'https://tenant.example/userinfo'], azp: 'spa', scope: 'openid email' }, 'JWT'],
    Keycloak: [{ typ: 'Bearer', azp: 'spa', sid: 's', acr: '1', scope: 'openid email' }, 'JWT'],
    'Keycloak before version 25': [{ typ: 'Bearer', azp: 'spa', nonce: 'n', session_state: 's' }, 'JWT'],
    'Keycloak, for the client itself': [{ typ: 'Bearer', azp: 'repo-insight' }, 'JWT'],
    'Microsoft Entra, for the client itself': [{ azp: 'repo-insight', azpacr: '0', scp: 'read', ver: '2.0' }, 'JWT'],
    Okta: [{ cid: 'spa', scp: ['openid'], auth_time: 1, ver: 1 }, 'JWT'],
    'the client credentials grant of any provider': [{ azp: 'job', gty: 'client-credentials' }, 'JWT'],
  };
  for (const [provider, [more, typ]] of Object.entries(accessTokens)) {
    it(`are accepted with the claims of an access token of ${provider}`, async () => {
      expect(await call(await issuer.sign({ ...claims(), ...more }, { typ }))).to.include({ status: 200 });
    });
  }

  it('are accepted with any name and e-mail address', async () => {
    const of = async (more: object) => {
      const token = await issuer.sign({ ...claims(), sub: `host|${JSON.stringify(more).length}`, ...more });
      const response = await demo.get('/user/', { headers: { Authorization: `Bearer ${token}` } });
      const { name, emailAddress } = (await response.json()) as Record<string, unknown>;
      return [response.status, name, emailAddress];
    };
    const [email, email_verified] = ['ada@example.org', true];
    expect(await of({ name: 'x'.repeat(300), email, email_verified })).to.deep.equal([200, 'x'.repeat(255), email]);
    expect(await of({ name: 'a\uD800', email: 'a\nb', email_verified })).to.deep.equal([200, 'a', '']);
    expect(await of({ name: { first: 'Ada' }, email: 7, email_verified })).to.deep.equal([200, '', '']);
  });

  it('never make the service send a request to a URL of the token', () => {
    expect(issuer.requests.get('/evil')).to.equal(undefined);
  });

  const headers: readonly (readonly [string, string, RegExp])[] = [
    [
      'of two of them',
      'Authorization: Bearer a.b.c\r\nAuthorization: Bearer d.e.f\r\n',
      /^HTTP\/1\.1 401 .*more than one/s,
    ],
    [
      'of another scheme',
      'Authorization: Basic YWRhOng=\r\n',
      /^HTTP\/1\.1 401 .*must contain \\"Bearer\\" and a token/s,
    ],
    ['that is empty', 'Authorization:\r\n', /^HTTP\/1\.1 401 .*must contain \\"Bearer\\" and a token/s],
    [
      'of two tokens',
      'Authorization: Bearer a.b.c d.e.f\r\n',
      /^HTTP\/1\.1 401 .*must contain \\"Bearer\\" and a token/s,
    ],
    [
      'with bytes that are not ASCII',
      'Authorization: Bearer \u00e9.\u00ff.\u00fc\r\n',
      /^HTTP\/1\.1 401 .*not a token/s,
    ],
    ['of 100 kB', `Authorization: Bearer ${'a'.repeat(100_000)}\r\n`, /^HTTP\/1\.1 431 /],
    ['with a line feed alone', 'Authorization: Bearer a\n.b.c\r\n', /^HTTP\/1\.1 (400|401) /],
  ];
  for (const [what, lines, answer] of headers) {
    it(`are rejected in a header ${what}`, async () => {
      const request = `GET /user/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`;
      expect(await rawRequest(demo.service.url, Buffer.from(request, 'latin1'))).to.match(answer);
    });
  }

  it('do not appear in the log', async () => {
    const token = await issuer.sign({ ...claims(), email: 'ada@example.org' });
    await call(token);
    await call(`${token}x`);
    expect(JSON.stringify(demo.log)).to.not.match(/eyJ|ada@example/);
  });
});

describe('tokens with a shared secret', () => {
  const rules = { issuer: 'repo-insight', audience: 'repo-insight', clockSkew: 30, keys: { secret: JWT_SECRET } };
  const readToken = createTokenReader(rules);
  const read = (token: string) => readToken(token, SYSTEM_TIME);

  it('are rejected with 401 if they are damaged in any way', async () => {
    const good = await tokenOf('ada');
    expect(await read(good)).to.include({ provider: 'host', accountId: 'ada', login: 'ada' });
    const damaged = fc
      .tuple(fc.nat(good.length - 1), fc.string({ maxLength: 4 }), fc.nat(3))
      .map(([at, put, cut]) => good.slice(0, at) + put + good.slice(at + cut))
      .filter((token) => token !== good);
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.string(), jsonToken()), async (token) => {
        const error = await read(token).catch((reason: unknown) => reason);
        expect(error, token).to.include({ code: 'credential_invalid' });
      }),
      { numRuns: 1_000, seed: 7 },
    );
  });

  it('are accepted in one spelling only, although the last character of a signature has unused bits', async () => {
    const good = await tokenOf('ada');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = letters.indexOf(good.at(-1) ?? '');
    const other = `${good.slice(0, -1)}${letters[last + 1]}`;
    const error = await read(other).catch((reason: unknown) => reason);
    expect(error, other).to.include({ code: 'credential_invalid', message: 'The signature of the token is invalid.' });
  });

  it('must use an algorithm for shared secrets', async () => {
    const claims = { sub: 'host|1', exp: now() + 60, iss: 'repo-insight', aud: 'repo-insight' };
    const error = await read(await forged(claims, 'x')).catch((reason: unknown) => reason);
    expect(error).to.include({
      code: 'credential_invalid',
      message: 'This service does not accept the algorithm of the signature.',
    });
  });

  it('are accepted with a picture URL that cannot be stored', async () => {
    const pictureOf = async (picture: unknown) => {
      const claims = { sub: 'host|1', picture, exp: now() + 60, iss: 'repo-insight', aud: 'repo-insight' };
      const token = new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: 'HS256' });
      return (await read(await token.sign(new TextEncoder().encode(JWT_SECRET)))).avatarUrl;
    };
    const long = `https://pictures.example/${'x'.repeat(900)}`;
    expect(await pictureOf(long)).to.equal(long);
    for (const picture of [`${long}${'x'.repeat(100)}`, 'javascript:alert(1)', 'https://a.example/\u0007', 7, null]) {
      expect(await pictureOf(picture), String(picture).slice(0, 30)).to.equal('');
    }
  });

  it('do not store a time that would make later tokens count as older', async () => {
    for (const iat of [now() + 10_000_000, 1e300, -1e300]) {
      const { profileAt } = await read(await signedAt(iat));
      expect(profileAt.getTime()).to.be.within(0, SYSTEM_TIME.getTime());
    }
  });
});

function signedAt(iat: number): Promise<string> {
  const claims = { sub: 'host|1', iat, exp: now() + 60, iss: 'repo-insight', aud: 'repo-insight' };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(JWT_SECRET));
}

/** Returns a token that is signed with an unknown key. */
async function forged(claims: JWTPayload, kid: string, header: Record<string, unknown> = {}): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey);
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Generates tokens with any header and claims, and an invalid signature. */
function jsonToken(): fc.Arbitrary<string> {
  const header = fc.record(
    {
      alg: fc.constantFrom('HS256', 'RS256', 'none', '', 'toString'),
      typ: fc.string(),
      crit: fc.constantFrom<unknown>([], ['b64'], ['exp'], 'b64', [1]),
      b64: fc.boolean(),
      zip: fc.constant('DEF'),
    },
    { requiredKeys: [] },
  );
  const parts = fc.tuple(fc.oneof(header, fc.jsonValue()), fc.oneof(fc.object(), fc.jsonValue()), fc.base64String());
  return parts.map(([head, claims, signature]) => `${encoded(head)}.${encoded(claims)}.${signature}`);
}

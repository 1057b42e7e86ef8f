import { expect } from 'chai';
import type { JWK } from 'jose';
import { createTokenReader, type ReadToken } from '../../accounts/identity/bearer-tokens.js';
import { PROVIDER_FETCH } from '../../server/identity/token-rules.js';
import { eventually } from '../services/eventually.js';
import { SYSTEM_TIME, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { startProvider, type TestProvider } from './sign-in-provider.js';

const MINUTE = 60_000;

describe('the published keys of an issuer', () => {
  let issuer: TestProvider;
  let isOpen: boolean;
  beforeEach(async () => {
    issuer = await startProvider();
    isOpen = true;
    time = 1_000_000;
  });
  afterEach(async () => {
    if (isOpen) await issuer.shut();
  });

  const shut = async () => {
    await issuer.shut();
    isOpen = false;
  };
  /** The monotonic clock of the token readers in milliseconds. The time advances at every call. */
  let time: number;
  const now = () => {
    time += 0.001;
    return time;
  };
  const reader = (): ReadToken =>
    createTokenReader({
      issuer: issuer.issuer,
      audience: 'a',
      clockSkew: 0,
      keys: { jwksUrl: issuer.url('/keys'), fetch: PROVIDER_FETCH, now },
    });
  const token = (header?: Record<string, unknown>) => {
    const exp = SYSTEM_TIME.getTime() / 1_000 + 60;
    return issuer.sign({ iss: issuer.issuer, aud: 'a', sub: '1', exp }, header);
  };
  const codeOf = (read: ReadToken, text: string) =>
    read(text, SYSTEM_TIME).then(
      () => 'good',
      ({ code }: { code: string }) => code,
    );
  /** Delays the answers of the issuer until the returned function is called. */
  const hold = () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    issuer.next.held = { '/keys': held };
    return release;
  };
  const fetches = () => issuer.requests.get('/keys') ?? 0;

  it('are fetched once for a hundred concurrent first tokens, and cached', async () => {
    const read = reader();
    const good = await token();
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(read, good)));
    expect([new Set(codes), fetches()]).to.deep.equal([new Set(['good']), 1]);
    await read(good, SYSTEM_TIME);
    expect(fetches()).to.equal(1);
  });

  it('are fetched again once for a hundred concurrent tokens with a new key, which are all accepted', async () => {
    const read = reader();
    const old = await token();
    await read(old, SYSTEM_TIME);
    await issuer.rotate();
    const good = await token();
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(read, good)));
    expect([new Set(codes), fetches()]).to.deep.equal([new Set(['good']), 2]);
    expect(await codeOf(read, old)).to.equal('credential_invalid');
  });

  it('are fetched at most every five seconds for many unknown keys, and then include a new key', async () => {
    const read = reader();
    await read(await token(), SYSTEM_TIME);
    for (let count = 0; count < 200; count++) {
      time += 24;
      expect(await codeOf(read, await token({ kid: `made-up-${count}` }))).to.equal('credential_invalid');
    }
    expect(fetches()).to.equal(2);
    await issuer.rotate();
    const good = await token();
    expect(await codeOf(read, good)).to.equal('credential_invalid');
    time += 5_000;
    expect([await codeOf(read, good), fetches()]).to.deep.equal(['good', 3]);
  });

  it('are fetched once if the first token has an unknown key', async () => {
    const read = reader();
    const made = await token({ kid: 'made-up' });
    expect([await codeOf(read, made), fetches()]).to.deep.equal(['credential_invalid', 1]);
    expect([await codeOf(read, made), fetches()]).to.deep.equal(['credential_invalid', 2]);
    expect([await codeOf(read, made), fetches()]).to.deep.equal(['credential_invalid', 2]);
  });

  for (const [what, elapsed] of [
    ['ten minutes', 10 * MINUTE],
    ['a day', 24 * 60 * MINUTE],
  ] as const) {
    it(`are fetched again for the first token after ${what}, so that a token with a withdrawn key is rejected`, async () => {
      const read = reader();
      const old = await token();
      await read(old, SYSTEM_TIME);
      await issuer.rotate();
      time += 10 * MINUTE - 1;
      expect([await codeOf(read, old), fetches()]).to.deep.equal(['good', 1]);
      time += elapsed - 10 * MINUTE + 2;
      const release = hold();
      const answers = Promise.all(Array.from({ length: 60 }, () => codeOf(read, old)));
      await eventually(() => Promise.resolve(fetches() === 2));
      release();
      expect(new Set(await answers)).to.deep.equal(new Set(['credential_invalid']));
      // Because of the unknown key, the service fetches the keys a second time.
      expect(fetches()).to.be.at.most(3);
    });
  }

  it('have the age of their request, also if its answer is late', async () => {
    const read = reader();
    const old = await token();
    const release = hold();
    const answer = codeOf(read, old);
    await eventually(() => Promise.resolve(fetches() === 1));
    time += 2_000;
    release();
    expect(await answer).to.equal('good');
    await issuer.rotate();
    time += 10 * MINUTE - 1_000;
    expect(await codeOf(read, old)).to.equal('credential_invalid');
  });

  it('stay valid for an hour while the issuer is unavailable, with a retry every five seconds', async () => {
    const read = reader();
    const good = await token();
    await read(good, SYSTEM_TIME);
    issuer.next.broken = { '/keys': 'fails' };
    time += 10 * MINUTE + 1;
    for (let seconds = 0; seconds < 10; seconds++) {
      expect(await codeOf(read, good)).to.equal('good');
      expect(await codeOf(read, await token({ kid: `made-up-${seconds}` }))).to.equal('identity_unavailable');
      time += 1_000;
    }
    // In five seconds, there may be one fetch because of the age of the keys, and one because of unknown keys.
    expect(fetches()).to.be.within(3, 5);
    await shut();
    time += 49 * MINUTE;
    expect(await codeOf(read, good)).to.equal('good');
    time += 2 * MINUTE;
    expect(await codeOf(read, good)).to.equal('identity_unavailable');
  });

  it('are fetched five seconds after the failure of an issuer that is available again', async () => {
    await shut();
    const read = reader();
    const good = await token();
    expect(await codeOf(read, good)).to.equal('identity_unavailable');
    await issuer.open();
    isOpen = true;
    expect([await codeOf(read, good), fetches()]).to.deep.equal(['identity_unavailable', 0]);
    time += 5_000;
    expect([await codeOf(read, good), fetches()]).to.deep.equal(['good', 1]);
  });

  it('are read up to a megabyte of the answer of the issuer', async () => {
    issuer.next.broken = { '/keys': 'endless' };
    expect(await codeOf(reader(), await token())).to.equal('identity_unavailable');
    // More than a megabyte is sent, because the socket buffers take additional bytes.
    expect(issuer.sent.endless).to.be.within(1_048_576, 32 * 1_048_576);
  });

  for (const fault of ['fails', 'garbles', 'floods'] as const) {
    it(`are not known if the issuer ${fault}`, async () => {
      issuer.next.broken = { '/keys': fault };
      expect(await codeOf(reader(), await token())).to.equal('identity_unavailable');
    });
  }

  const broken: readonly (readonly [string, (key: JWK) => unknown[]])[] = [
    ['no keys', () => []],
    ['a key without a type', ({ kty: _, ...key }) => [key]],
    ['a key of an unknown type', (key) => [{ ...key, kty: 'NEW' }]],
    ['only a secret', ({ kid }) => [{ kty: 'oct', k: 'AAAA', kid, alg: 'HS256' }]],
    ['only a key for encryption', (key) => [{ ...key, use: 'enc' }]],
    ['a key without its number', ({ n: _, ...key }) => [key]],
    ['a key whose number is not base64', (key) => [{ ...key, n: '###' }]],
    ['a key whose number is empty', (key) => [{ ...key, n: '' }]],
    ['a key that is too short', (key) => [{ ...key, n: 'AQAB' }]],
    ['a list in which a key is a number', () => [7]],
  ];
  for (const [what, change] of broken) {
    it(`are unavailable, and the token is not wrong, if the issuer publishes ${what}`, async () => {
      const read = reader();
      const good = await token();
      const { keys } = (await (await fetch(issuer.url('/keys'))).json()) as { keys: [JWK] };
      issuer.next.published = change(keys[0]);
      expect(await codeOf(read, good)).to.equal('identity_unavailable');
      issuer.next.published = undefined;
      time += 11 * MINUTE;
      expect(await codeOf(read, good)).to.equal('good');
    });
  }

  it('may include unusable keys, which concern only their tokens', async () => {
    const { keys } = (await (await fetch(issuer.url('/keys'))).json()) as { keys: [JWK] };
    const { n: _, ...rest } = keys[0];
    issuer.next.published = [...keys, { ...rest, kid: 'unusable' }, { kty: 'NEW', kid: 'new' }];
    const read = reader();
    expect(await codeOf(read, await token())).to.equal('good');
    expect(await codeOf(read, await token({ kid: 'unusable' }))).to.equal('identity_unavailable');
    expect(await codeOf(read, await token({ kid: 'made-up' }))).to.equal('credential_invalid');
  });

  it('have a time limit, after which concurrent calls answer 503', async () => {
    issuer.next.broken = { '/keys': 'stalls' };
    const settings = {
      JWT_ISSUER: issuer.issuer,
      JWT_JWKS_URL: issuer.url('/keys'),
      JWT_SECRET: '',
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    };
    const demo = await startDemoService(settings);
    try {
      const headers = { Authorization: `Bearer ${await token()}` };
      const answers = await Promise.all(Array.from({ length: 10 }, () => demo.get('/user/', { headers })));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([503]));
      const body = await answers[0]?.text();
      expect(body).to.include('identity_unavailable').and.not.include(issuer.issuer);
      expect(answers[0]?.headers.get('retry-after')).to.equal('5');
    } finally {
      await demo.close();
    }
  });
});

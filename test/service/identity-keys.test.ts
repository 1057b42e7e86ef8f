import { expect } from 'chai';
import { createTokenReader, type ReadToken } from '../../app-routes/identity/tokens.js';
import { eventually } from '../services/eventually.js';
import { startDemoService } from './demo-service.js';
import { startProvider, type TestProvider } from './sign-in-provider.js';

describe('the published keys of an issuer', () => {
  let issuer: TestProvider;
  let isOpen: boolean;
  beforeEach(async () => {
    issuer = await startProvider();
    isOpen = true;
  });
  afterEach(async () => {
    if (isOpen) await issuer.shut();
  });

  const shut = async () => {
    await issuer.shut();
    isOpen = false;
  };
  const reader = (times: { refetchAfterMs?: number; renewAfterMs?: number } = {}): ReadToken =>
    createTokenReader({
      issuer: issuer.issuer,
      audience: 'a',
      clockSkew: 0,
      keys: { jwksUrl: issuer.url('/keys'), ...times },
    });
  const token = (header?: Record<string, unknown>) => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    return issuer.sign({ iss: issuer.issuer, aud: 'a', sub: '1', exp }, header);
  };
  const codeOf = (read: ReadToken, text: string) =>
    read(text).then(
      () => 'good',
      ({ code }: { code: string }) => code,
    );
  const fetches = () => issuer.requests.get('/keys') ?? 0;

  it('are fetched once for the first hundred tokens at once, and kept', async () => {
    const read = reader();
    const good = await token();
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(read, good)));
    expect([new Set(codes), fetches()]).to.deep.equal([new Set(['good']), 1]);
    await read(good);
    expect(fetches()).to.equal(1);
  });

  it('are fetched once more for a hundred tokens of a new key at once, which all pass', async () => {
    const read = reader({ refetchAfterMs: 0 });
    const old = await token();
    await read(old);
    await issuer.rotate();
    const good = await token();
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(read, good)));
    expect([new Set(codes), fetches()]).to.deep.equal([new Set(['good']), 2]);
    expect(await codeOf(read, old)).to.equal('credential_invalid');
  });

  it('are not fetched for a flood of made-up keys', async () => {
    const read = reader();
    await read(await token());
    for (let count = 0; count < 200; count++) {
      expect(await codeOf(read, await token({ kid: `made-up-${count}` }))).to.equal('credential_invalid');
    }
    expect(fetches()).to.equal(1);
  });

  it('stay good while the issuer is away; a flood of made-up keys does not ask it each time', async () => {
    const read = reader({ refetchAfterMs: 60_000, renewAfterMs: 0 });
    const good = await token();
    await read(good);
    issuer.next.broken = { '/keys': 'fails' };
    await eventually(20_000, async () => (await codeOf(read, good)) === 'good' && fetches() > 1);
    const started = performance.now();
    const asked = fetches();
    for (let count = 0; count < 100; count++) {
      expect(await codeOf(read, good)).to.equal('good');
      const made = await token({ kid: `made-up-${count}` });
      expect(await codeOf(read, made)).to.be.oneOf(['identity_unavailable', 'credential_invalid']);
    }
    // Once a second.
    expect(fetches() - asked).to.be.at.most(1 + (performance.now() - started) / 1_000);
    await shut();
    expect(await codeOf(read, good)).to.equal('good');
  });

  it('are taken from an issuer that comes back', async () => {
    await shut();
    const read = reader();
    const good = await token();
    expect(await codeOf(read, good)).to.equal('identity_unavailable');
    await issuer.open();
    isOpen = true;
    await eventually(20_000, async () => (await codeOf(read, good)) === 'good');
    expect(fetches()).to.equal(1);
  });

  it('are renewed beside the requests, so that a key that was withdrawn ends', async () => {
    const read = reader({ renewAfterMs: 0 });
    const old = await token();
    await read(old);
    await issuer.rotate();
    expect(await codeOf(read, old)).to.equal('good');
    await eventually(20_000, async () => (await codeOf(read, old)) === 'credential_invalid');
  });

  for (const fault of ['fails', 'garbles'] as const) {
    it(`are not known where the issuer ${fault}`, async () => {
      issuer.next.broken = { '/keys': fault };
      expect(await codeOf(reader(), await token())).to.equal('identity_unavailable');
    });
  }

  it('are waited for three seconds, by a hundred calls at once as by one, and told as 503 over HTTP', async () => {
    issuer.next.broken = { '/keys': 'stalls' };
    const settings = { JWT_ISSUER: issuer.issuer, JWT_JWKS_URL: issuer.url('/keys'), JWT_SECRET: '' };
    const demo = await startDemoService(settings, 1_000);
    try {
      const headers = { Authorization: `Bearer ${await token()}` };
      const started = performance.now();
      const answers = await Promise.all(Array.from({ length: 100 }, () => demo.get('/user/', { headers })));
      expect(performance.now() - started).to.be.within(2_500, 30_000);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([503]));
      const body = await answers[0]?.text();
      expect(body).to.include('identity_unavailable').and.not.include(issuer.issuer);
      expect(answers[0]?.headers.get('retry-after')).to.equal('5');
      expect(fetches()).to.equal(1);
    } finally {
      await demo.close();
    }
  });
});

import { expect } from 'chai';
import { createHostClient, type HostClient } from '../../github/client/github-client.js';
import type { HostError } from '../../github/client/github-error.js';
import { budget, type HostAnswer, type HostServer, recorded, startHostServer } from './host-server.js';
import { profile } from './people.js';

const NOW = Date.UTC(2026, 0, 1);
const IN_A_MINUTE = NOW / 1000 + 60;
const ASK = { deadlineMs: 5_000 };

describe("the hosting platform's client", () => {
  let host: HostServer;
  let now: number;
  /** How far the clock was set anew. */
  let step: number;
  let notices: string[];

  beforeEach(async () => {
    host = await startHostServer();
    now = NOW;
    step = 0;
    notices = [];
  });
  afterEach(() => host.close());

  const client = (...tokens: string[]): HostClient =>
    createHostClient({
      tokens: tokens.length === 0 ? ['one'] : tokens,
      apiUrl: host.url,
      userAgent: 'test/1',
      now: () => now + step,
      stopwatch: () => now,
      onNotice: (notice) => notices.push(notice),
    });
  const user = (of: HostClient, username = 'ada', options: object = {}) =>
    of.get('GET /users/{username}', { username }, { ...ASK, ...options });
  const failureOf = async (call: Promise<unknown>): Promise<HostError> => {
    const error = await call.then(
      () => expect.fail('the call should have failed'),
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('name', 'HostError');
    return error as HostError;
  };

  it('gives what the platform tells, with its etag', async () => {
    host.answer = (call) => recorded('get-repository', call, host.url);
    const reply = await client().get(
      'GET /repos/{owner}/{repo}',
      { owner: 'octokit-fixture-org', repo: 'hello-world' },
      ASK,
    );
    expect(reply).to.nested.include({
      state: 'found',
      'data.full_name': 'octokit-fixture-org/hello-world',
      etag: '"00000000000000000000000000000000"',
    });
    expect(host.calls).to.have.lengthOf(1);
    expect(host.calls[0]).to.include({ method: 'GET', token: 'one', etag: undefined });
  });

  it('follows a repository to its new name', async () => {
    host.answer = (call) => recorded('rename-repository', call, host.url);
    const parameters = { owner: 'octokit-fixture-org', repo: 'rename-repository' };
    const reply = await client().get('GET /repos/{owner}/{repo}', parameters, ASK);
    expect(reply).to.nested.include({ 'data.full_name': 'octokit-fixture-org/rename-repository-newname' });
    expect(host.calls.map(({ path }) => path)).to.eql([
      '/repos/octokit-fixture-org/rename-repository',
      '/repositories/1000',
    ]);
  });

  it('follows no further than to another place of the same server, and not for ever', async () => {
    const elsewhere = await startHostServer();
    try {
      for (const location of [
        `${elsewhere.url}/users/ada`,
        'http://127.0.0.1:1/',
        `${host.url}/users/ada`,
        'file:///etc/passwd',
      ]) {
        host.calls.length = 0;
        host.answer = () => ({ status: 302, headers: { location } });
        expect(await failureOf(user(client()))).to.have.property('failure', 'away');
        expect(host.calls.length, location).to.be.at.most(6);
      }
      expect(elsewhere.calls).to.eql([]);
      host.answer = () => ({ status: 307, headers: { location: `${host.url}/other` } });
      await failureOf(client().graphql('{ viewer { login } }', {}, ASK));
      expect(host.calls.filter(({ path }) => path === '/other')).to.eql([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('asks with an etag, and hears that nothing changed', async () => {
    host.answer = ({ etag }) => (etag === '"a"' ? { status: 304, headers: { etag: '"a"' } } : { status: 500 });
    expect(await user(client(), 'ada', { etag: '"a"' })).to.eql({ state: 'unchanged' });
  });

  it('encodes what stands in a path', async () => {
    await user(client(), 'a/../b?c#d e%2f');
    expect(host.calls[0]?.path).to.equal('/users/a%2F..%2Fb%3Fc%23d%20e%252f');
  });

  for (const [what, answer] of Object.entries<HostAnswer>({
    'was not found': { status: 404, body: { message: 'Not Found' } },
    'is gone': { status: 410, body: { message: 'Gone' } },
    'may not be shown by law': { status: 451, body: { message: 'Repository access blocked' } },
    'may not be shown': { status: 403, body: { message: 'Repository access blocked', block: { reason: 'tos' } } },
  })) {
    it(`says absent of what ${what}`, async () => {
      host.answer = () => answer;
      expect(await user(client())).to.eql({ state: 'absent' });
      expect(host.calls).to.have.lengthOf(1);
    });
  }

  it('asks again after a short failure', async () => {
    host.answer = () => (host.calls.length === 1 ? { status: 502, body: '<html>' } : { body: profile(1, 'ada') });
    expect(await user(client())).to.nested.include({ state: 'found', 'data.login': 'ada' });
    expect(host.calls).to.have.lengthOf(2);
  });

  it('gives up after a second failure, and tells nothing of what was answered', async () => {
    host.answer = () => ({ status: 500, body: 'secret stack trace' });
    const error = await failureOf(user(client()));
    expect(error).to.include({ failure: 'away', message: 'The platform failed to answer (500).' });
    expect(host.calls).to.have.lengthOf(2);
  });

  it('gives up when nobody listens', async () => {
    const away = client();
    await host.close();
    expect(await failureOf(user(away))).to.include({ failure: 'away', message: 'The platform could not be reached.' });
    host = await startHostServer();
  });

  for (const fault of ['stall', 'half'] as const) {
    it(`stops at the deadline when the platform sends ${fault === 'stall' ? 'nothing' : 'the half'} and no more`, async () => {
      host.answer = () => ({ body: profile(1, 'ada'), fault });
      const error = await failureOf(user(client(), 'ada', { deadlineMs: 200 }));
      expect(error).to.include({ failure: 'away', message: 'The platform did not answer within 200 ms.' });
    });
  }

  it('stops when its caller goes away', async () => {
    host.answer = () => ({ fault: 'stall' });
    const stop = new AbortController();
    const call = user(client(), 'ada', { signal: stop.signal });
    stop.abort(new Error('gone'));
    expect(await call.catch((error: Error) => error.message)).to.equal('gone');
  });

  it('uses the token with the most left', async () => {
    const left: Record<string, number> = { one: 10, two: 500 };
    host.answer = ({ token }) => {
      left[token] = (left[token] ?? 0) - 1;
      return { body: profile(1, 'ada'), headers: budget(left[token] ?? 0, IN_A_MINUTE) };
    };
    const both = client('one', 'two');
    for (let round = 0; round < 5; round++) await user(both);
    expect(host.calls.map(({ token }) => token)).to.eql(['one', 'two', 'two', 'two', 'two']);
  });

  it('lets a token rest that is used up until its reset, and tells when all are', async () => {
    const used: HostAnswer = {
      status: 403,
      headers: budget(0, IN_A_MINUTE),
      body: { message: 'API rate limit exceeded' },
    };
    host.answer = ({ token }) => (token === 'one' ? used : { body: profile(1, 'ada') });
    const both = client('one', 'two');
    expect(await user(both)).to.include({ state: 'found' });
    await user(both);
    expect(host.calls.map(({ token }) => token)).to.eql(['one', 'two', 'two']);

    host.answer = () => used;
    const error = await failureOf(user(both));
    expect(error).to.include({
      failure: 'limited',
      message: 'The platform takes no more requests until 2026-01-01T00:01:00.000Z.',
    });
    const calls = host.calls.length;
    await failureOf(user(both));
    expect(host.calls, 'nothing is asked while all tokens rest').to.have.lengthOf(calls);

    now += 61_000;
    host.answer = () => ({ body: profile(1, 'ada') });
    expect(await user(both)).to.include({ state: 'found' });
  });

  for (const hours of [-24, -1, 1, 24]) {
    it(`lets a token rest as long as it was told to, where the clock is set by ${hours} hours meanwhile`, async () => {
      host.answer = () => ({ body: profile(1, 'ada'), headers: budget(0, IN_A_MINUTE) });
      const one = client();
      await user(one);
      step = hours * 3_600_000;
      now += 58_000;
      expect((await failureOf(user(one))).retryAt?.getTime()).to.equal(NOW + step + 60_000);
      now += 3_000;
      expect(await user(one)).to.include({ state: 'found' });
    });
  }

  it('rests as long as a second limit wants it', async () => {
    host.answer = () => ({ status: 429, headers: { 'retry-after': '30' }, body: { message: 'slow down' } });
    const error = await failureOf(user(client()));
    expect(error.retryAt?.getTime()).to.equal(NOW + 30_000);
    expect(host.calls).to.have.lengthOf(1);
  });

  it('believes no rest of more than about an hour', async () => {
    const cases = [{ 'retry-after': '1e300' }, budget(0, 1e17), { 'retry-after': '99999999', ...budget(0, 9e12) }];
    for (const headers of cases) {
      now = NOW;
      const asking = client();
      host.answer = () => ({ status: 429, headers });
      const { failure, retryAt } = await failureOf(user(asking));
      expect({ failure, retryAt }).to.deep.equal({ failure: 'limited', retryAt: new Date(NOW + 65 * 60_000) });
      now = NOW + 65 * 60_000;
      host.answer = () => ({ body: profile(1, 'ada') });
      expect(await user(asking)).to.have.property('state', 'found');
    }
  });

  it('counts searches apart', async () => {
    host.answer = ({ path }) =>
      path.startsWith('/search/')
        ? { status: 403, headers: budget(0, IN_A_MINUTE), body: { message: 'API rate limit exceeded' } }
        : { body: profile(1, 'ada') };
    const one = client();
    const search = () => one.get('GET /search/users', { q: 'ada' }, ASK);
    expect(await failureOf(search())).to.include({ failure: 'limited' });
    expect(await user(one)).to.include({ state: 'found' });
  });

  it('goes on with another token when one is refused, and says which, but not the token', async () => {
    host.answer = ({ token }) =>
      token === 'bad' ? { status: 401, body: { message: 'Bad credentials' } } : { body: profile(1, 'ada') };
    expect(await user(client('bad', 'good'))).to.include({ state: 'found' });
    expect(notices).to.eql(['Token 1 of GITHUB_TOKEN is rejected; it is tried again in ten minutes.']);
    const error = await failureOf(user(client('bad')));
    expect(error).to.include({ failure: 'unauthorized', message: 'The platform refuses the token of this service.' });
  });

  // Who reads a record finds that this is none.
  it('takes nothing of a huge answer', async () => {
    host.answer = () => ({ body: `"${'x'.repeat(6 * 1024 * 1024)}"` });
    expect(await user(client())).to.include({ state: 'found', data: '' });
  });

  it('asks GraphQL, and tells what is not there', async () => {
    host.answer = () => ({
      body: {
        data: { a0: { login: 'ada' }, a1: null, a2: null },
        errors: [
          { type: 'NOT_FOUND', path: ['a1'], message: 'Could not resolve' },
          { type: 'FORBIDDEN', path: ['a2'], message: 'Resource protected by organization SAML enforcement' },
        ],
      },
    });
    const reply = await client().graphql('query($a: String!) { … }', { a: 'ada' }, ASK);
    expect(reply).to.eql({ a0: { login: 'ada' }, a1: null, a2: null });
    expect(host.calls[0]).to.deep.include({
      method: 'POST',
      path: '/graphql',
      body: { query: 'query($a: String!) { … }', variables: { a: 'ada' } },
    });
  });

  it('takes an error of the whole query for a failure', async () => {
    host.answer = () => ({
      body: { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] },
    });
    const error = await failureOf(client().graphql('{ x }', {}, ASK));
    expect(error).to.include({ failure: 'away' });
  });

  it('rests when GraphQL says that its limit is reached', async () => {
    host.answer = () => ({
      headers: budget(0, IN_A_MINUTE),
      body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
    });
    const error = await failureOf(client().graphql('{ x }', {}, ASK));
    expect(error).to.include({ failure: 'limited' });
    expect(error.retryAt?.getTime()).to.equal(IN_A_MINUTE * 1000);
  });
});

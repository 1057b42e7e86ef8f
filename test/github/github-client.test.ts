import { expect } from 'chai';
import { createGitHubClient, type GitHubClient } from '../../github/client/github-client.js';
import type { GitHubError } from '../../github/client/github-error.js';
import {
  type GitHubAnswer,
  type GitHubServer,
  rateLimitHeaders,
  replayFixture,
  startGitHubServer,
} from './github-server.js';
import { restProfile } from './rest-profile.js';

const NOW = Date.UTC(2026, 0, 1);
const IN_A_MINUTE = NOW / 1000 + 60;
const CALL_OPTIONS = { deadlineMs: 5_000 };

describe('the GitHub client', () => {
  let github: GitHubServer;
  let now: number;
  /** The number of milliseconds by which a test has moved the clock forward. */
  let clockOffset: number;
  let notices: string[];

  beforeEach(async () => {
    github = await startGitHubServer();
    now = NOW;
    clockOffset = 0;
    notices = [];
  });
  afterEach(() => github.close());

  const client = (...tokens: string[]): GitHubClient =>
    createGitHubClient({
      tokens: tokens.length === 0 ? ['one'] : tokens,
      apiUrl: github.url,
      userAgent: 'test/1',
      now: () => now + clockOffset,
      stopwatch: () => now,
      onNotice: (notice) => notices.push(notice),
    });
  const user = (of: GitHubClient, username = 'ada', options: object = {}) =>
    of.get('GET /users/{username}', { username }, { ...CALL_OPTIONS, ...options });
  const rejectionOf = async (call: Promise<unknown>): Promise<GitHubError> => {
    const error = await call.then(
      () => expect.fail('the call should have failed'),
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('name', 'GitHubError');
    return error as GitHubError;
  };

  it('returns the response with its etag', async () => {
    github.answer = (call) => replayFixture('get-repository', call, github.url);
    const reply = await client().get(
      'GET /repos/{owner}/{repo}',
      { owner: 'octokit-fixture-org', repo: 'hello-world' },
      CALL_OPTIONS,
    );
    expect(reply).to.nested.include({
      state: 'found',
      'data.full_name': 'octokit-fixture-org/hello-world',
      etag: '"00000000000000000000000000000000"',
    });
    expect(github.calls).to.have.lengthOf(1);
    expect(github.calls[0]).to.include({ method: 'GET', token: 'one', etag: undefined });
  });

  it('follows the redirect of a renamed repository', async () => {
    github.answer = (call) => replayFixture('rename-repository', call, github.url);
    const parameters = { owner: 'octokit-fixture-org', repo: 'rename-repository' };
    const reply = await client().get('GET /repos/{owner}/{repo}', parameters, CALL_OPTIONS);
    expect(reply).to.nested.include({ 'data.full_name': 'octokit-fixture-org/rename-repository-newname' });
    expect(github.calls.map(({ path }) => path)).to.eql([
      '/repos/octokit-fixture-org/rename-repository',
      '/repositories/1000',
    ]);
  });

  it('follows no redirect to another origin and no redirect loop', async () => {
    const elsewhere = await startGitHubServer();
    try {
      for (const location of [
        `${elsewhere.url}/users/ada`,
        'http://127.0.0.1:1/',
        `${github.url}/users/ada`,
        'file:///etc/passwd',
      ]) {
        github.calls.length = 0;
        github.answer = () => ({ status: 302, headers: { location } });
        expect(await rejectionOf(user(client()))).to.have.property('failure', 'unavailable');
        expect(github.calls.length, location).to.be.at.most(6);
      }
      expect(elsewhere.calls).to.eql([]);
      github.answer = () => ({ status: 307, headers: { location: `${github.url}/other` } });
      await rejectionOf(client().graphql('{ viewer { login } }', {}, CALL_OPTIONS));
      expect(github.calls.filter(({ path }) => path === '/other')).to.eql([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('sends the etag and reports an unchanged record', async () => {
    github.answer = ({ etag }) =>
      etag === '"a"' ? { status: 304, headers: { etag: '"a"', 'x-poll-interval': '90' } } : { status: 500 };
    expect(await user(client(), 'ada', { etag: '"a"' })).to.eql({ state: 'unchanged', pollSeconds: 90 });
  });

  it('encodes the parameters of a path', async () => {
    await user(client(), 'a/../b?c#d e%2f');
    expect(github.calls[0]?.path).to.equal('/users/a%2F..%2Fb%3Fc%23d%20e%252f');
  });

  for (const [what, answer] of Object.entries<GitHubAnswer>({
    'is missing': { status: 404, body: { message: 'Not Found' } },
    'was deleted': { status: 410, body: { message: 'Gone' } },
    'is blocked by law': { status: 451, body: { message: 'Repository access blocked' } },
    'is blocked by its terms': {
      status: 403,
      body: { message: 'Repository access blocked', block: { reason: 'tos' } },
    },
  })) {
    it(`reports a record as absent that ${what}`, async () => {
      github.answer = () => answer;
      expect(await user(client())).to.eql({ state: 'absent' });
      expect(github.calls).to.have.lengthOf(1);
    });
  }

  it('retries a failed request', async () => {
    github.answer = () =>
      github.calls.length === 1 ? { status: 502, body: '<html>' } : { body: restProfile(1, 'ada') };
    expect(await user(client())).to.nested.include({ state: 'found', 'data.login': 'ada' });
    expect(github.calls).to.have.lengthOf(2);
  });

  it('fails after the second failure and does not quote the response', async () => {
    github.answer = () => ({ status: 500, body: 'secret stack trace' });
    const error = await rejectionOf(user(client()));
    expect(error).to.include({ failure: 'unavailable', message: 'GitHub failed with status 500.' });
    expect(github.calls).to.have.lengthOf(2);
  });

  it('fails when the connection is rejected', async () => {
    const away = client();
    await github.close();
    expect(await rejectionOf(user(away))).to.include({
      failure: 'unavailable',
      message: 'GitHub could not be reached.',
    });
    github = await startGitHubServer();
  });

  for (const fault of ['stall', 'half'] as const) {
    it(`stops at the deadline when GitHub sends ${fault === 'stall' ? 'nothing' : 'only half of a response'}`, async () => {
      github.answer = () => ({ body: restProfile(1, 'ada'), fault });
      const error = await rejectionOf(user(client(), 'ada', { deadlineMs: 200 }));
      expect(error).to.include({ failure: 'unavailable', message: 'GitHub did not answer within 200 ms.' });
    });
  }

  it('stops when the signal of its caller aborts', async () => {
    github.answer = () => ({ fault: 'stall' });
    const stop = new AbortController();
    const call = user(client(), 'ada', { signal: stop.signal });
    stop.abort(new Error('gone'));
    expect(await call.catch((error: Error) => error.message)).to.equal('gone');
  });

  it('uses the token with the largest remaining budget', async () => {
    const left: Record<string, number> = { one: 10, two: 500 };
    github.answer = ({ token }) => {
      left[token] = (left[token] ?? 0) - 1;
      return { body: restProfile(1, 'ada'), headers: rateLimitHeaders(left[token] ?? 0, IN_A_MINUTE) };
    };
    const both = client('one', 'two');
    for (let round = 0; round < 5; round++) await user(both);
    expect(github.calls.map(({ token }) => token)).to.eql(['one', 'two', 'two', 'two', 'two']);
  });

  it('skips a used-up token until its reset and reports when all are used up', async () => {
    const used: GitHubAnswer = {
      status: 403,
      headers: rateLimitHeaders(0, IN_A_MINUTE),
      body: { message: 'API rate limit exceeded' },
    };
    github.answer = ({ token }) => (token === 'one' ? used : { body: restProfile(1, 'ada') });
    const both = client('one', 'two');
    expect(await user(both)).to.include({ state: 'found' });
    await user(both);
    expect(github.calls.map(({ token }) => token)).to.eql(['one', 'two', 'two']);

    github.answer = () => used;
    const error = await rejectionOf(user(both));
    expect(error).to.include({
      failure: 'rate-limited',
      message: 'The rate limit of GitHub is reached until 2026-01-01T00:01:00.000Z.',
    });
    const calls = github.calls.length;
    await rejectionOf(user(both));
    expect(github.calls, 'no request is sent while all tokens are used up').to.have.lengthOf(calls);

    now += 61_000;
    github.answer = () => ({ body: restProfile(1, 'ada') });
    expect(await user(both)).to.include({ state: 'found' });
  });

  for (const hours of [-24, -1, 1, 24]) {
    it(`keeps a token suspended for the right time when the clock is set by ${hours} hours`, async () => {
      github.answer = () => ({ body: restProfile(1, 'ada'), headers: rateLimitHeaders(0, IN_A_MINUTE) });
      const one = client();
      await user(one);
      clockOffset = hours * 3_600_000;
      now += 58_000;
      expect((await rejectionOf(user(one))).retryAt?.getTime()).to.equal(NOW + clockOffset + 60_000);
      now += 3_000;
      expect(await user(one)).to.include({ state: 'found' });
    });
  }

  it('waits as long as Retry-After of a secondary rate limit says', async () => {
    github.answer = () => ({ status: 429, headers: { 'retry-after': '30' }, body: { message: 'slow down' } });
    const error = await rejectionOf(user(client()));
    expect(error.retryAt?.getTime()).to.equal(NOW + 30_000);
    expect(github.calls).to.have.lengthOf(1);
  });

  it('suspends a token for at most 65 minutes', async () => {
    const cases = [
      { 'retry-after': '1e300' },
      rateLimitHeaders(0, 1e17),
      { 'retry-after': '99999999', ...rateLimitHeaders(0, 9e12) },
    ];
    for (const headers of cases) {
      now = NOW;
      const asking = client();
      github.answer = () => ({ status: 429, headers });
      const { failure, retryAt } = await rejectionOf(user(asking));
      expect({ failure, retryAt }).to.deep.equal({ failure: 'rate-limited', retryAt: new Date(NOW + 65 * 60_000) });
      now = NOW + 65 * 60_000;
      github.answer = () => ({ body: restProfile(1, 'ada') });
      expect(await user(asking)).to.have.property('state', 'found');
    }
  });

  it('keeps a separate budget for searches', async () => {
    github.answer = ({ path }) =>
      path.startsWith('/search/')
        ? { status: 403, headers: rateLimitHeaders(0, IN_A_MINUTE), body: { message: 'API rate limit exceeded' } }
        : { body: restProfile(1, 'ada') };
    const one = client();
    const search = () => one.get('GET /search/users', { q: 'ada' }, CALL_OPTIONS);
    expect(await rejectionOf(search())).to.include({ failure: 'rate-limited' });
    expect(await user(one)).to.include({ state: 'found' });
  });

  it('continues with another token when one is rejected, and reports its position but not the token', async () => {
    github.answer = ({ token }) =>
      token === 'bad' ? { status: 401, body: { message: 'Bad credentials' } } : { body: restProfile(1, 'ada') };
    expect(await user(client('bad', 'good'))).to.include({ state: 'found' });
    expect(notices).to.eql(['GitHub rejected token 1 of GITHUB_TOKEN. The token is retried in ten minutes.']);
    const error = await rejectionOf(user(client('bad')));
    expect(error).to.include({ failure: 'unauthorized', message: 'GitHub rejected the token of this service.' });
  });

  // The client replaces the large response by an empty text, which the conversion to a record then rejects.
  it('drops a response that is too large', async () => {
    github.answer = () => ({ body: `"${'x'.repeat(33 * 1024 * 1024)}"` });
    expect(await user(client())).to.include({ state: 'found', data: '' });
  });

  it('returns null for missing fields of a GraphQL response', async () => {
    github.answer = () => ({
      body: {
        data: { a0: { login: 'ada' }, a1: null, a2: null },
        errors: [
          { type: 'NOT_FOUND', path: ['a1'], message: 'Could not resolve' },
          { type: 'FORBIDDEN', path: ['a2'], message: 'Resource protected by organization SAML enforcement' },
        ],
      },
    });
    const reply = await client().graphql('query($a: String!) { … }', { a: 'ada' }, CALL_OPTIONS);
    expect(reply).to.eql({ a0: { login: 'ada' }, a1: null, a2: null });
    expect(github.calls[0]).to.deep.include({
      method: 'POST',
      path: '/graphql',
      body: { query: 'query($a: String!) { … }', variables: { a: 'ada' } },
    });
  });

  it('fails for an error that concerns the whole query', async () => {
    github.answer = () => ({
      body: { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] },
    });
    const error = await rejectionOf(client().graphql('{ x }', {}, CALL_OPTIONS));
    expect(error).to.include({ failure: 'unavailable' });
  });

  it('suspends the token when GraphQL reports its rate limit', async () => {
    github.answer = () => ({
      headers: rateLimitHeaders(0, IN_A_MINUTE),
      body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
    });
    const error = await rejectionOf(client().graphql('{ x }', {}, CALL_OPTIONS));
    expect(error).to.include({ failure: 'rate-limited' });
    expect(error.retryAt?.getTime()).to.equal(IN_A_MINUTE * 1000);
  });
});

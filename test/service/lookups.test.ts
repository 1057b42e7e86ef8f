import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { lookupOperations } from '../../app-routes/lookups.js';
import type { Lookups } from '../../github/lookups/lookups.js';
import { type GitHubServer, NOT_FOUND, rateLimitHeaders, startGitHubServer } from '../github/github-server.js';
import { restProfile } from '../github/rest-profile.js';
import { type DemoService, SYSTEM_TIME, startDemoService, useSharedDemo } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

/** A token that must not appear in any output. */
const TOKEN = 'ghp_secretsecretsecret';

describe('lookups over HTTP', () => {
  const shared = useSharedDemo();
  let host: GitHubServer;
  let service: DemoService;

  before(async () => {
    host = await startGitHubServer();
    service = await startDemoService({
      GITHUB_TOKEN: TOKEN,
      GITHUB_API_URL: host.url,
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    });
  });
  after(async () => {
    await service?.close();
    await host.close();
  });

  const json = async (from: DemoService, path: string) => {
    const response = await from.get(path);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> & { data?: unknown } };
  };

  it('answer as described', async () => {
    const { demo: alone } = shared;
    const [owner = '', repo = ''] = alone.repository.split('/');
    const { body } = await json(alone, `/gh/repos/${owner}/${repo}/`);
    const { id, owner: by } = body.data as { id: number; owner: { id: number; login: string } };
    const paths: Record<string, string> = {
      'get-organization': `/gh/organizations/${await organizationOf(alone)}/`,
      'search-organizations': '/gh/organizations/search/?keyword=a',
      'search-repos': `/gh/repos/search/?keyword=${owner}/${repo.slice(0, 2)}`,
      'get-repository': `/gh/repositories/${id}/`,
      'get-user-by-username': `/gh/users/${owner}/`,
      'get-user-by-id': `/gh/user/${by.id}`,
      'search-users': '/gh/users/search/?keyword=a',
      'get-repo-by-name': `/gh/repos/${owner.toUpperCase()}/${repo}`,
      'get-repo': `/gh/repo/${owner}/${repo}/`,
    };
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    for (const operation of lookupOperations({} as Lookups)) {
      const answer = await json(alone, paths[operation.id] ?? '');
      expect(answer.status, operation.id).to.equal(200);
      expect(ajv.validate(operation.answer ?? false, answer.body), `${operation.id}: ${ajv.errorsText()}`).to.equal(
        true,
      );
      expect(answer.body).to.include({ source: 'warehouse' });
      expect(answer.body.data, operation.id).not.to.eql([]);
    }
  });

  it('have one common limit per address', async () => {
    const limited = await startDemoService({ CALLER_LIMIT_PER_MINUTE: '2', ENDPOINTS_DIR: FEW_ENDPOINTS });
    try {
      const answers = [];
      for (const path of ['/gh/users/unknown/', '/gh/users/search/?keyword=a', '/gh/repos/search/?keyword=a']) {
        answers.push(await limited.get(path));
      }
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 200, 429]);
      const rejected = (await answers.at(-1)?.json()) as { code?: string } | undefined;
      expect(rejected?.code).to.equal('rate_limited');
      expect(Number(answers.at(-1)?.headers.get('retry-after'))).to.be.within(1, 60);
    } finally {
      await limited.close();
    }
  });

  it('report in which source a record does not exist', async () => {
    const { demo: alone } = shared;
    expect(await json(alone, '/gh/users/no-such-user/')).to.deep.include({ status: 404 });
    const { status, body } = await json(alone, '/gh/repos/no/such/');
    expect({ status, code: body.code, detail: body.detail }).to.eql({
      status: 404,
      code: 'repository_not_found',
      detail: 'There is no repository no/such in this data set.',
    });
    host.answer = () => NOT_FOUND;
    expect((await json(service, '/gh/organizations/77/')).body).to.include({
      code: 'organization_not_found',
      detail: 'There is no organization 77 on GitHub.',
    });
  });

  it('name the values of a repository as GitHub does, and omit those that are unknown', async () => {
    const owner = restProfile(1, 'ada');
    const counts = {
      forks_count: 3,
      open_issues_count: 0,
      stargazers_count: 5,
      subscribers_count: 2,
      watchers_count: 5,
    };
    const more = { html_url: 'https://host.example/ada/tools', topics: ['sql'], default_branch: 'main' };
    const license = { key: 'mit', name: 'MIT License', spdx_id: 'MIT', url: 'https://host.example/licenses/mit' };
    host.answer = () => ({ body: { id: 7, full_name: 'ada/tools', owner, ...counts, ...more, license } });
    const { body } = await json(service, '/gh/repos/ada/tools/');
    expect(body.data).to.deep.include({ ...counts, forks: 3, open_issues: 0, ...more, license });
    const { demo: alone } = shared;
    const { body: stored } = await json(alone, `/gh/repos/${alone.repository}/`);
    const data = stored.data as Record<string, unknown>;
    expect(data).to.include({
      forks_count: data.forks,
      watchers_count: data.stargazers_count,
      html_url: `https://github.com/${alone.repository}`,
    });
    expect(data).not.to.have.any.keys('open_issues_count', 'topics', 'default_branch');
  });

  it('omit impossible values of GitHub', async () => {
    const strange = { followers: -1, following: 1.5, public_repos: '7', created_at: 'yesterday', name: ['Ada'] };
    host.answer = () => ({ body: restProfile(1, 'strange', strange) });
    const { status, body } = await json(service, '/gh/users/strange/');
    expect(status).to.equal(200);
    const nothing = { followers: null, following: null, public_repos: null, created_at: null, name: null };
    expect(body.data).to.include({ id: 1, login: 'strange', ...nothing });
  });

  it('reject invalid parameters by name', async () => {
    for (const path of [
      '/gh/user/abc/',
      '/gh/user/0/',
      '/gh/user/9007199254740993/',
      '/gh/organizations/1.5/',
      '/gh/users/search/',
      '/gh/users/search/?keyword=',
      '/gh/users/search/?keyword=%20',
      '/gh/users/search/?keyword=a&page=2',
      '/gh/repos/search/?keyword=a&keyword=b',
    ]) {
      const { status, body } = await json(service, path);
      expect({ path, status, code: body.code }).to.eql({ path, status: 400, code: 'bad_parameter' });
    }
  });

  it('answer 503 with the time to wait if the existence is not known', async () => {
    const resetSeconds = SYSTEM_TIME.getTime() / 1_000 + 1800;
    host.answer = () => ({ status: 403, headers: rateLimitHeaders(0, resetSeconds), body: {} });
    const response = await service.get('/gh/users/not-known/');
    expect(response.status).to.equal(503);
    expect(Number(response.headers.get('retry-after'))).to.be.within(1700, 1800);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body.code).to.equal('host_unavailable');
    expect(JSON.stringify([body, service.log, [...response.headers]])).not.to.include(TOKEN);
  });
});

describe('lookups over HTTP with GitHub', () => {
  let host: GitHubServer;
  let service: DemoService;

  before(async () => {
    host = await startGitHubServer();
    const tokens = { GITHUB_TOKEN: `bad, ${TOKEN}`, GITHUB_API_URL: host.url };
    service = await startDemoService({ ...tokens, ENDPOINTS_DIR: FEW_ENDPOINTS });
  });
  after(async () => {
    await service.close();
    await host.close();
  });

  it('use the tokens without showing them in answers or in the log', async () => {
    host.answer = ({ token }) => (token === 'bad' ? { status: 401, body: {} } : { body: restProfile(5, 'ada') });
    const response = await service.get('/gh/users/ada/');
    const body = (await response.json()) as Record<string, string>;
    expect(response.status).to.equal(200);
    expect(body).to.include({ source: 'host' });
    expect(Date.parse(body.expiresAt ?? '')).to.be.greaterThan(Date.parse(body.finishedAt ?? ''));
    expect(host.calls.map(({ token }) => token)).to.eql(['bad', TOKEN]);
    expect(service.log.map(({ msg }) => msg)).to.include(
      'GitHub rejected token 1 of GITHUB_TOKEN. The token is retried in ten minutes.',
    );
    expect(JSON.stringify([body, service.log])).not.to.include(TOKEN);
  });
});

async function organizationOf(service: DemoService): Promise<number> {
  const query = service.database.prepare("SELECT id FROM github_users WHERE type = 'Organization' ORDER BY id LIMIT 1");
  const { rows } = await service.database.query(query, [], { maxRows: 1, timeoutMs: 5_000 });
  return Number(rows[0]?.[0]);
}

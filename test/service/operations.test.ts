import { expect } from 'chai';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { useSharedDemo } from './demo-service.js';

/** Paths below /v1, and the specified columns: name, type, nullable. {owner}/{repo} is replaced by the most starred repository. */
const REPOSITORY = '/repos/{owner}/{repo}';
const RANKING = [
  'repo_id BIGINT',
  'repo_name VARCHAR',
  'current_period_growth BIGINT',
  'current_period_rank BIGINT',
  'past_period_growth BIGINT',
  'past_period_rank BIGINT',
  'growth_pop DECIMAL',
  'rank_pop BIGINT',
  'total BIGINT',
];
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  '/collections/': ['id BIGINT', 'name VARCHAR'],
  '/collections/hot/': [
    'id BIGINT',
    'name VARCHAR',
    'repos BIGINT',
    'repo_id BIGINT',
    'repo_name VARCHAR',
    'repo_current_period_rank INT?',
    'repo_past_period_rank INT?',
    'repo_rank_changes BIGINT?',
  ],
  '/collections/1/ranking_by_issues/': RANKING,
  '/collections/1/ranking_by_prs/': RANKING,
  '/collections/1/ranking_by_stars/': RANKING,
  '/collections/1/repos/': ['repo_id BIGINT', 'repo_name VARCHAR'],
  '/trends/repos/?period=past_3_months': [
    'repo_id INT?',
    'repo_name VARCHAR?',
    'primary_language VARCHAR?',
    'description VARCHAR?',
    'stars INT?',
    'forks INT?',
    'pull_requests INT?',
    'pushes INT?',
    'total_score DOUBLE?',
    'contributor_logins VARCHAR?',
    'collection_names VARCHAR?',
  ],
  [`${REPOSITORY}/issue_creators/`]: [
    'id INT',
    'login VARCHAR',
    'name VARCHAR',
    'issues INT?',
    'first_issue_opened_at DATETIME?',
  ],
  [`${REPOSITORY}/issue_creators/history/`]: ['date VARCHAR?', 'issue_creators DECIMAL?'],
  [`${REPOSITORY}/issue_creators/countries/`]: ['country_code CHAR?', 'percentage DECIMAL?', 'issue_creators BIGINT?'],
  [`${REPOSITORY}/issue_creators/organizations/`]: [
    'org_name VARCHAR?',
    'issue_creators BIGINT?',
    'percentage DECIMAL?',
  ],
  [`${REPOSITORY}/pull_request_creators/`]: [
    'id INT',
    'login VARCHAR',
    'name VARCHAR',
    'prs INT?',
    'first_pr_opened_at DATETIME?',
    'first_pr_merged_at DATETIME?',
  ],
  [`${REPOSITORY}/pull_request_creators/history/`]: ['date VARCHAR?', 'pull_request_creators DECIMAL?'],
  [`${REPOSITORY}/pull_request_creators/countries/`]: [
    'country_code CHAR?',
    'pull_request_creators BIGINT?',
    'percentage DECIMAL?',
  ],
  [`${REPOSITORY}/pull_request_creators/organizations/`]: [
    'org_name VARCHAR?',
    'pull_request_creators BIGINT?',
    'percentage DECIMAL?',
  ],
  [`${REPOSITORY}/stargazers/history/`]: ['date VARCHAR?', 'stargazers DECIMAL?'],
  [`${REPOSITORY}/stargazers/countries`]: ['country_or_area CHAR?', 'count BIGINT?', 'percentage DECIMAL?'],
  [`${REPOSITORY}/stargazers/organizations/`]: ['org_name VARCHAR?', 'stargazers BIGINT?', 'percentage DECIMAL?'],
};

describe('the public operations', () => {
  const shared = useSharedDemo();

  const ask = async (path: string): Promise<Envelope> => {
    const response = await shared.demo.get(`/v1${path.replace('{owner}/{repo}', shared.demo.repository)}`);
    expect(response.status, path).to.equal(200);
    return (await response.json()) as Envelope;
  };

  it('are eighteen, one per definition with a path', async () => {
    const definitions = await loadDefinitions(readSettings({}));
    expect(Object.keys(OPERATIONS)).to.have.length(18);
    expect(definitions.filter(({ definition }) => definition.path !== undefined)).to.have.length(18);
    expect(shared.demo.service.endpoints).to.equal(definitions.length);
  });

  for (const [path, columns] of Object.entries(OPERATIONS)) {
    it(`answer ${path} with rows of text cells under the specified columns`, async () => {
      const { type, data } = await ask(path);
      expect(type).to.equal('sql_endpoint');
      expect(
        data.columns.map(({ col, data_type, nullable }) => `${col} ${data_type}${nullable ? '?' : ''}`),
      ).to.deep.equal(columns);
      expect(data.rows).to.not.have.length(0);
      for (const row of data.rows) {
        expect(Object.keys(row)).to.deep.equal(data.columns.map(({ col }) => col));
        for (const cell of Object.values(row)) expect(cell).to.be.a('string');
      }
      const { code, message, row_count, row_affect, stale, data_as_of } = data.result;
      expect({ code, message, row_count, row_affect, stale }).to.deep.equal({
        code: 200,
        message: 'Query OK',
        row_count: data.rows.length,
        row_affect: 0,
        stale: false,
      });
      expect(data_as_of).to.match(/^2026-06-30T\d\d:\d\d:\d\dZ$/);
    });

    it(`answer ${path} equally with and without the trailing slash`, async () => {
      const [bare = '', query = ''] = path.split('?');
      const trimmed = bare.replace(/\/$/, '');
      const [without, slashed] = await Promise.all([ask(`${trimmed}?${query}`), ask(`${trimmed}/?${query}`)]);
      expect(without.data.columns).to.deep.equal(slashed.data.columns);
      expect(without.data.rows).to.deep.equal(slashed.data.rows);
    });
  }

  it('match owner and repository without regard to case', async () => {
    const exact = await ask(`${REPOSITORY}/issue_creators/`);
    const shouted = await ask(`/repos/${shared.demo.repository.toUpperCase()}/issue_creators/`);
    expect(shouted.data.rows).to.deep.equal(exact.data.rows);
  });

  it('report in an empty answer that an unknown repository is not in this data set', async () => {
    const { data } = await ask('/repos/no-one/nothing/stargazers/history/');
    expect(data.rows).to.deep.equal([]);
    const notice = 'The repository no-one/nothing is not in this data set.';
    expect(data.result.notices).to.deep.equal([notice]);
    expect(data.result.message).to.equal(`Query OK. ${notice}`);
  });

  it('report that an unknown collection is not in this data set', async () => {
    const { data } = await ask('/collections/987654321/ranking_by_stars/');
    expect(data.rows).to.deep.equal([]);
    expect(data.result.notices).to.deep.equal(['The collection 987654321 is not in this data set.']);
  });

  it('page through a list with Link headers to its end', async () => {
    const logins: string[] = [];
    let path: string | undefined =
      `/v1/repos/${shared.demo.repository}/issue_creators/?page_size=7&sort=login&exclude_bots=false`;
    while (path !== undefined) {
      const response: Response = await shared.demo.get(path);
      const { data } = (await response.json()) as Envelope;
      logins.push(...data.rows.map(({ login = '' }) => login));
      expect(data.result.limit).to.equal(7);
      path = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      expect(data.result.truncated).to.equal(path !== undefined);
    }
    const whole = await ask(`${REPOSITORY}/issue_creators/?page_size=100&sort=login&exclude_bots=false`);
    expect(logins).to.deep.equal(whole.data.rows.map(({ login }) => login));
  });

  it('accept a percent-encoded language', async () => {
    const response = await shared.demo.get('/v1/trends/repos/?language=C%2B%2B&period=past_3_months');
    expect(response.status).to.equal(200);
    const { data } = (await response.json()) as Envelope;
    expect(new Set(data.rows.map(({ primary_language }) => primary_language))).to.deep.equal(new Set(['C++']));
  });

  it('are available by name at /q/{name} with native values', async () => {
    const [owner, repo] = shared.demo.repository.split('/');
    const response = await shared.demo.get(`/q/list-issue-creators?owner=${owner}&repo=${repo}&page_size=1`);
    expect(response.status).to.equal(200);
    const body = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(body)).to.deep.equal([
      'params',
      'requestedAt',
      'finishedAt',
      'expiresAt',
      'spent',
      'sql',
      'fields',
      'data',
      'nextCursor',
      'total',
      'sources',
      'dataAsOf',
      'stale',
      'truncated',
      'notices',
    ]);
    expect([body.truncated, body.notices, body.sources]).to.deep.equal([true, [], []]);
    const [row] = body.data as Record<string, unknown>[];
    expect(row?.id).to.be.a('number');
    expect(row?.login).to.be.a('string');
    expect(body.params).to.deep.equal({
      owner,
      repo,
      sort: 'issues-desc',
      exclude_bots: true,
      page: 1,
      page_size: 1,
      cursor: null,
    });
  });
});

/** An operation in the specification: method, path, the id if it has one, and parameters. */
export interface SpecifiedOperation {
  readonly route: string;
  readonly id?: string;
  /**
   * Parameters by name. A value is `in type`, where `in` is `path` or `query` and `?` marks an optional parameter. ` = default`, ` of
   * values` or ` from … to …` may follow.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** The type of each key of the body. `!` after the type marks a required key. */
  readonly body?: Readonly<Record<string, string>>;
}

const LANGUAGES =
  'All, JavaScript, Java, Python, PHP, C++, C#, TypeScript, Shell, C, Ruby, Rust, Go, Kotlin, HCL, PowerShell, CMake, ' +
  'Groovy, PLpgSQL, TSQL, Dart, Swift, HTML, CSS, Elixir, Haskell, Solidity, Assembly, R, Scala, Julia, Lua, Clojure, ' +
  'Erlang, Common Lisp, Emacs Lisp, OCaml, MATLAB, Objective-C, Perl, Fortran';

const REPOSITORY = { owner: 'path string', repo: 'path string' };
const RANKING = {
  collection_id: 'path integer',
  period: 'query string? = past_28_days of past_28_days, past_month',
};
const PAGES = {
  exclude_bots: 'query boolean? = true',
  page: 'query integer? = 1 from 1 to 21474836',
  page_size: 'query integer? = 30 from 1 to 100',
  cursor: 'query string?',
};
const DAYS = { from: 'query string date? = 2000-01-01', to: 'query string date? = 2099-01-01' };
const HISTORY = { ...REPOSITORY, per: 'query string? = month of day, week, month', ...DAYS };
const SHARES = { ...REPOSITORY, exclude_unknown: 'query boolean? = true', ...DAYS };

const ID = { id: 'path integer' };
const KEYWORD = { keyword: 'query string' };
const QUESTION = { questionId: 'path string' };

/** All operations of the specification, including the six operations for which it contains only a name. */
export const SPECIFIED: readonly SpecifiedOperation[] = [
  { id: 'list-collections', route: 'GET /v1/collections/', parameters: {} },
  { id: 'list-hot-collections', route: 'GET /v1/collections/hot/', parameters: {} },
  ...(['issues', 'prs', 'stars'] as const).map((what) => ({
    id: `collection-repo-ranking-by-${what}`,
    route: `GET /v1/collections/{collection_id}/ranking_by_${what}/`,
    parameters: RANKING,
  })),
  {
    id: 'list-repos-of-collection',
    route: 'GET /v1/collections/{collection_id}/repos/',
    parameters: { collection_id: 'path integer' },
  },
  {
    id: 'list-trending-repos',
    route: 'GET /v1/trends/repos/',
    parameters: {
      period: 'query string? = past_24_hours of past_24_hours, past_week, past_month, past_3_months',
      language: `query string? = All of ${LANGUAGES}`,
    },
  },
  {
    id: 'list-issue-creators',
    route: 'GET /v1/repos/{owner}/{repo}/issue_creators/',
    parameters: {
      ...REPOSITORY,
      sort: 'query string? = issues-desc of issues, issues-desc, first_issue_opened_at, first_issue_opened_at-desc, login',
      ...PAGES,
    },
  },
  {
    id: 'list-pull-request-creators',
    route: 'GET /v1/repos/{owner}/{repo}/pull_request_creators/',
    parameters: {
      ...REPOSITORY,
      sort: 'query string? = prs-desc of login, prs, prs-desc, first_pr_opened_at, first_pr_opened_at-desc, first_pr_merged_at, first_pr_merged_at-desc',
      ...PAGES,
    },
  },
  ...repositoryOperations('issue_creators', 'issue-creators', 'issue-creators'),
  ...repositoryOperations('pull_request_creators', 'pull-request-creators', 'pr-creators'),
  ...repositoryOperations('stargazers', 'stargazers', 'stargazers'),
  { id: 'other-api', route: 'GET /v1/{wildcard}', parameters: { wildcard: 'path string' } },

  { route: 'GET /', parameters: {} },
  { route: 'GET /healthy/', parameters: {} },
  { route: 'GET /collections/', parameters: {} },
  { route: 'GET /collections/{collectionId}/', parameters: { collectionId: 'path integer' } },
  { route: 'GET /q/{wildcard}', parameters: { wildcard: 'path string' } },
  { route: 'POST /q/playground/', parameters: {}, body: { sql: 'string!', type: 'string', id: 'integer' } },
  { route: 'GET /q/explain/{queryName}/', parameters: { queryName: 'path string' } },
  { route: 'GET /qo/repos/groups/osdb/', parameters: {} },

  { route: 'GET /user/', parameters: {} },
  { route: 'GET /user/email-updates/', parameters: {} },
  { route: 'PUT /user/email-updates/', parameters: {}, body: { enable: 'boolean!' } },
  { route: 'GET /user/subscriptions/', parameters: {} },
  { route: 'PUT /repos/{owner}/{repo}/subscribe/', parameters: REPOSITORY },
  { route: 'PUT /repos/{owner}/{repo}/unsubscribe/', parameters: REPOSITORY },

  ...['/bot/questionToSQL/', '/playground/sql/generate/'].flatMap((path) => [
    { route: `POST ${path}`, parameters: {}, body: { question: 'string!', context: 'object' } },
    { route: `GET ${path}quota/`, parameters: {} },
  ]),

  { route: 'GET /gh/organizations/{id}/', parameters: ID },
  { route: 'GET /gh/organizations/search/', parameters: KEYWORD },
  { route: 'GET /gh/repos/search/', parameters: KEYWORD },
  { route: 'GET /gh/repositories/{id}/', parameters: ID },
  { route: 'GET /gh/users/{username}/', parameters: { username: 'path string' } },
  { route: 'GET /gh/user/{id}/', parameters: ID },
  { route: 'GET /gh/users/search/', parameters: KEYWORD },
  { route: 'GET /gh/repos/{owner}/{repo}/', parameters: REPOSITORY },
  { route: 'GET /gh/repo/{owner}/{repo}/', parameters: REPOSITORY },

  {
    route: 'POST /explorer/answer/',
    parameters: {},
    body: { question: 'string!', format: 'string', ignoreCache: 'boolean' },
  },
  { route: 'POST /explorer/questions/', parameters: {}, body: { question: 'string!', ignoreCache: 'boolean' } },
  { route: 'GET /explorer/questions/{questionId}/', parameters: QUESTION },
  { route: 'GET /explorer/tags/', parameters: {} },
  {
    route: 'GET /explorer/questions/recommend/',
    parameters: {
      aiGenerated: 'query boolean?',
      n: 'query integer? = 10 from 1 to 100',
      tagId: 'query integer?',
    },
  },
  { route: 'POST /explorer/questions/recommend/batchRefresh/', parameters: {} },
  { route: 'GET /explorer/questions/{questionId}/feedback/', parameters: QUESTION },
  {
    route: 'POST /explorer/questions/{questionId}/feedback/',
    parameters: QUESTION,
    body: { satisfied: 'boolean!', feedbackContent: 'string' },
  },
  {
    route: 'DELETE /explorer/questions/{questionId}/feedback/',
    parameters: { ...QUESTION, satisfied: 'query boolean' },
  },
  { route: 'POST /explorer/questions/{questionId}/recommend/', parameters: QUESTION },
  { route: 'POST /explorer/questions/{questionId}/recommend/cancel/', parameters: QUESTION },
  { route: 'GET /explorer/questions/{questionId}/tags/', parameters: QUESTION },
  { route: 'POST /explorer/questions/{questionId}/tags/', parameters: QUESTION, body: { tagIds: 'array!' } },
];

/** Returns the operations for creators or stargazers: over time, by country and by organization. */
function repositoryOperations(segment: string, history: string, listed: string): SpecifiedOperation[] {
  const path = `GET /v1/repos/{owner}/{repo}/${segment}`;
  return [
    { id: `${history}-history`, route: `${path}/history/`, parameters: HISTORY },
    {
      id: `list-countries-of-${listed}`,
      route: segment === 'stargazers' ? `${path}/countries` : `${path}/countries/`,
      parameters: SHARES,
    },
    { id: `list-organizations-of-${listed}`, route: `${path}/organizations/`, parameters: SHARES },
  ];
}

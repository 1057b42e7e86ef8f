/**
 * JSON Schemas of the event payloads in the public feed. They contain the fields that the demo writes. Full payloads are as in archive
 * files of 2015 to 2021, slim payloads as in files since October 2025.
 */
type Schema = Readonly<Record<string, unknown>>;

export function payloadSchema(type: string, slim: boolean): Schema | undefined {
  return (slim ? SLIM[type] : undefined) ?? FULL[type];
}

function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

function array(items: Schema): Schema {
  return { type: 'array', items };
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

const text = { type: 'string' };
const number = { type: 'integer' };
const flag = { type: 'boolean' };
const time = { type: 'string', format: 'date-time' };
const sha = { type: 'string', pattern: '^[0-9a-f]{40}$' };
const user = object({ login: text, id: number, type: { enum: ['User', 'Bot', 'Organization'] }, site_admin: flag });
const action = (...values: string[]): Schema => ({ enum: values });

/** The fields of a repository in the payloads of forks and of pull requests. */
const repositoryFields = {
  id: number,
  name: text,
  full_name: text,
  private: flag,
  owner: user,
  description: orNull(text),
  fork: flag,
  created_at: time,
  updated_at: time,
  pushed_at: time,
  size: number,
  stargazers_count: number,
  forks_count: number,
  language: orNull(text),
  default_branch: text,
};

const fork = object({ ...repositoryFields, public: flag });

const base = object({
  ...repositoryFields,
  watchers_count: number,
  archived: flag,
  license: orNull(object({ key: text, spdx_id: text })),
});

const issueFields = {
  id: number,
  number,
  title: text,
  user,
  labels: array(text),
  state: { enum: ['open', 'closed'] },
  locked: flag,
  comments: number,
  created_at: time,
  updated_at: time,
  closed_at: orNull(time),
  body: orNull(text),
};

const pullFields = {
  id: number,
  number,
  state: { enum: ['open', 'closed'] },
  locked: flag,
  title: text,
  user,
  body: orNull(text),
  created_at: time,
  updated_at: time,
  closed_at: orNull(time),
  merged_at: orNull(time),
  draft: flag,
  head: object({ ref: text, sha, repo: object({ id: number, name: text, full_name: text, fork: flag }) }),
  base: object({ ref: text, sha, repo: base }),
};

const pull = object(pullFields);
const finalPull = object({
  ...pullFields,
  merged: flag,
  merged_by: orNull(user),
  comments: number,
  review_comments: number,
  commits: number,
  additions: number,
  deletions: number,
  changed_files: number,
});
const slimRef = object({ ref: text, sha, repo: object({ id: number, name: text }) });
const slimPull = object({ id: number, number, url: text, head: slimRef, base: slimRef });

const review = object({
  id: number,
  user,
  body: orNull(text),
  commit_id: sha,
  submitted_at: time,
  state: { enum: ['approved', 'commented', 'changes_requested'] },
});
const reviewComment = object({
  id: number,
  path: text,
  commit_id: sha,
  user,
  body: text,
  created_at: time,
  updated_at: time,
});
const commit = object({ sha, author: object({ name: text, email: text }), message: text, distinct: flag });

const FULL: Readonly<Record<string, Schema>> = {
  WatchEvent: object({ action: action('started') }),
  ForkEvent: object({ forkee: fork }),
  PublicEvent: object({}),
  PushEvent: object({
    push_id: number,
    size: number,
    distinct_size: number,
    ref: text,
    head: sha,
    before: sha,
    commits: array(commit),
  }),
  CreateEvent: object({
    ref: orNull(text),
    ref_type: { enum: ['repository', 'branch', 'tag'] },
    master_branch: text,
    description: orNull(text),
    pusher_type: text,
  }),
  DeleteEvent: object({ ref: text, ref_type: { enum: ['branch', 'tag'] }, pusher_type: text }),
  ReleaseEvent: object({
    action: action('published'),
    release: object({
      id: number,
      author: user,
      tag_name: text,
      target_commitish: text,
      name: text,
      draft: flag,
      prerelease: flag,
      created_at: time,
      published_at: time,
      assets: array({}),
      body: text,
    }),
  }),
  MemberEvent: object({ member: user, action: action('added') }),
  GollumEvent: object({
    pages: array(object({ page_name: text, title: text, summary: { type: 'null' }, action: text, sha })),
  }),
  CommitCommentEvent: object({
    comment: object({
      id: number,
      user,
      position: orNull(number),
      line: orNull(number),
      path: orNull(text),
      commit_id: sha,
      created_at: time,
      updated_at: time,
      body: text,
    }),
  }),
  IssuesEvent: object({ action: action('opened', 'closed', 'reopened'), issue: object(issueFields) }),
  IssueCommentEvent: object({
    action: action('created'),
    issue: object({ ...issueFields, pull_request: object({ url: text }) }, ['pull_request']),
    comment: object({ id: number, user, created_at: time, updated_at: time, body: text }),
  }),
  PullRequestEvent: object({ action: action('opened', 'closed'), number, pull_request: finalPull }),
  PullRequestReviewEvent: object({ action: action('created'), review, pull_request: pull }),
  PullRequestReviewCommentEvent: object({ action: action('created'), comment: reviewComment, pull_request: pull }),
};

const SLIM: Readonly<Record<string, Schema>> = {
  PushEvent: object({ repository_id: number, push_id: number, ref: text, head: sha, before: sha }),
  PullRequestEvent: object({ action: action('opened', 'closed', 'merged'), number, pull_request: slimPull }),
  PullRequestReviewEvent: object({ action: action('created'), review, pull_request: slimPull }),
  PullRequestReviewCommentEvent: object({ action: action('created'), comment: reviewComment, pull_request: slimPull }),
};

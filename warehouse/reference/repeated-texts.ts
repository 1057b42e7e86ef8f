/** The column `repo_id` of most derived tables: its type and description. */
export const REPO_ID = ['BIGINT', 'Id of the repository; joins `github_repos.repo_id`.'] as const;

/** The start of the public feed, as docs/importing.md describes it. */
export const SINCE_FEED = 'The feed starts in 2011-02; the rows start with the first imported event.';

/** The pull request fields of the first era do not contain merges. */
export const SINCE_MERGES = 'The feed starts in 2011-02, and reports merges since 2012-03.';

/** The freshness of tables into which the events of each batch are merged. */
export const WITH_BATCH = 'Current after each batch of `data import`: the batch and these rows are one transaction.';

/** The freshness of tables that are computed again for the repositories of a batch. */
export const WITH_REPOSITORIES =
  'Current after each batch of `data import`: the rows of its repositories are computed again in the same transaction.';

/** The freshness of tables that depend on the current time. */
export const AS_OF =
  'Computed after an import with new events, at the start of the service, every 60 minutes, and by `data refresh`.';

/** The freshness of a table whose rows are the same in every database. */
export const NEVER_CHANGES = 'Never changes.';

/** The freshness of tables that `data track follow` writes. */
export const WITH_TRACKING = 'Changes when `data track follow` reads GitHub.';

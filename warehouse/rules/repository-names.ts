/** Among the repositories of one name in github_repos, the one that is meant comes first: not deleted, then active last. */
export const BEST_OF_NAME = 'is_deleted, last_event_at DESC, repo_id DESC';

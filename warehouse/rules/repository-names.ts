/** The ORDER BY of repositories with the same name in github_repos. The first one has the name now: not deleted, then most recently active. */
export const BEST_OF_NAME = 'is_deleted, last_event_at DESC, repo_id DESC';

/**
 * The ORDER BY for repositories with the same name in github_repos. The first repository is the current owner of the
 * name: a repository that is not deleted, and among these the most recently active one.
 */
export const BEST_OF_NAME = 'is_deleted, last_event_at DESC, repo_id DESC';

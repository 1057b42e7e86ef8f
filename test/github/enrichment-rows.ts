/** The time of every refresh in these tests. */
export const NOW = new Date('2026-03-01T12:00:00Z');
export const REFRESHED = '2026-03-01 12:00:00';

export const USERS_SQL =
  'SELECT id, login, type, name, organization, organization_formatted, address, country_code, followers, created_at, is_deleted, refreshed_at FROM github_users';

/** Returns a row for `storeNames`: an account with an unknown profile. */
export function accountRow(id: number, login: string, refreshed = 'NULL'): string {
  return `(${id}, '${login}', 'N/A', '', '', '', 0, 0, 0, 0, NULL, ${refreshed})`;
}

/** Returns a row for `storeNames`: a repository with unknown details. */
export function repositoryRow(id: number, name: string, stars: number): string {
  return `(${id}, '${name}', 0, '${name.split('/')[0]}', 0, '', '', '', ${stars}, 0, 0, NULL, NULL)`;
}

/** Returns a shortened profile in the form of GitHub's REST API. */
export function restProfile(id: number, login: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    login,
    node_id: 'x',
    avatar_url: `https://avatars.example/u/${id}`,
    type: 'User',
    site_admin: false,
    name: 'Ada Example',
    company: '@example ',
    location: 'Berlin, Germany',
    public_repos: 7,
    followers: 1200,
    following: 3,
    created_at: '2011-01-25T18:44:36Z',
    updated_at: '2026-01-05T10:00:00Z',
    ...more,
  };
}

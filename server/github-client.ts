import { SERVICE } from '../engine/http/package-root.js';
import type { GitHubClient } from '../github/client/github-client.js';
import type { Settings } from './settings/settings.js';

type GitHubSettings = Pick<Settings, 'githubToken' | 'githubApiUrl'>;

/**
 * Creates the client of GitHub's API. Returns undefined if no token is set. `retries` is the number of retries of a failed request. `now`
 * returns milliseconds since 1970.
 */
export async function createConfiguredGitHubClient(
  settings: GitHubSettings,
  retries: number,
  onNotice: (message: string) => void,
  now = Date.now,
): Promise<GitHubClient | undefined> {
  return settings.githubToken === undefined ? undefined : createAnyGitHubClient(settings, retries, onNotice, now);
}

/** Creates the client of GitHub's API. If no token is set, the client is anonymous. */
export async function createAnyGitHubClient(
  { githubToken, githubApiUrl: apiUrl }: GitHubSettings,
  retries: number,
  onNotice: (message: string) => void,
  now = Date.now,
): Promise<GitHubClient> {
  const tokens = githubToken?.split(',').map((token) => token.trim()) ?? [];
  const { createGitHubClient } = await import('../github/client/github-client.js');
  const userAgent = `${SERVICE.name}/${SERVICE.version}`;
  return createGitHubClient({ tokens, apiUrl, userAgent, retries, onNotice, now });
}

import type { GitHubClient } from '../github/client/github-client.js';
import { SERVICE } from '../http/package-root.js';
import type { Settings } from './settings/settings.js';

/**
 * Creates the client of GitHub's API; undefined without a token. `retries` is the number of retries of a failed
 * request. `now` returns milliseconds since 1970.
 */
export async function createConfiguredGitHubClient(
  { githubToken, githubApiUrl: apiUrl }: Pick<Settings, 'githubToken' | 'githubApiUrl'>,
  retries: number,
  onNotice: (message: string) => void,
  now = Date.now,
): Promise<GitHubClient | undefined> {
  const tokens = githubToken?.split(',').map((token) => token.trim());
  if (tokens === undefined) return undefined;
  const { createGitHubClient } = await import('../github/client/github-client.js');
  const userAgent = `${SERVICE.name}/${SERVICE.version}`;
  return createGitHubClient({ tokens, apiUrl, userAgent, retries, onNotice, now });
}

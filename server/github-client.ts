import { createHostClient, type HostClient } from '../github/client/github-client.js';
import { SERVICE } from '../http/package-root.js';
import type { Settings } from './settings/settings.js';

/** The client of GitHub's API; undefined without a token. `retries` is the number of retries of a failed request. */
export function hostClientOf(
  { githubToken, githubApiUrl: apiUrl }: Pick<Settings, 'githubToken' | 'githubApiUrl'>,
  retries: number,
  onNotice: (message: string) => void,
): HostClient | undefined {
  const tokens = githubToken?.split(',').map((token) => token.trim());
  const userAgent = `${SERVICE.name}/${SERVICE.version}`;
  return tokens && createHostClient({ tokens, apiUrl, userAgent, retries, onNotice });
}

import type { Logger } from 'pino';
import type { Database } from '../engine/index.js';
import { HostCache } from '../warehouse/host/host-cache.js';
import { createHostClient, type HostClient } from '../warehouse/host/host-client.js';
import { createLookups, type Lookups } from '../warehouse/host/lookups.js';
import { createStoredRecords } from '../warehouse/host/stored-records.js';
import { createNameSearch } from '../warehouse/search.js';
import { SERVICE } from './package-root.js';
import type { Settings } from './settings/settings.js';

type HostSettings = Pick<Settings, 'githubToken' | 'githubApiUrl'>;

/** The hosting platform as the settings name it, which is asked so often again when it fails; undefined without a token. */
export function hostClientOf(
  { githubToken, githubApiUrl: apiUrl }: HostSettings,
  retries: number,
  onNotice: (message: string) => void,
): HostClient | undefined {
  const tokens = githubToken?.split(',').map((token) => token.trim());
  const userAgent = `${SERVICE.name}/${SERVICE.version}`;
  return tokens && createHostClient({ tokens, apiUrl, userAgent, retries, onNotice });
}

/** Lookups on the hosting platform and on the tables. */
export function openLookups(settings: HostSettings, database: Database, logger: Logger): Lookups {
  const onNotice = (notice: string) => logger.warn(notice);
  const client = hostClientOf(settings, 1, onNotice);
  return createLookups({
    host: client && new HostCache(client, { onNotice }),
    records: createStoredRecords(database),
    search: createNameSearch(database),
  });
}

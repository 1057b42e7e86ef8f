import { relative, resolve } from 'node:path';
import { parseMysqlUrl, placeOf } from '../../engine/databases/mysql/connection/address.js';
import type { Settings } from './settings.js';

export type DatabaseLocation = Pick<Settings, 'databaseUrl' | 'dataDirectory' | 'api'>;

const FILE_SCHEME = 'duckdb:';

/**
 * Returns the file that `DATABASE_URL` names, or the default file in `DATA_DIR`; undefined if the database is on a
 * server, and for an API whose tables are files.
 */
export function databaseFile({ databaseUrl, dataDirectory, api }: DatabaseLocation): string | undefined {
  if (databaseUrl === undefined) return api === undefined ? resolve(dataDirectory, 'repo-insight.duckdb') : undefined;
  return databaseUrl.startsWith(FILE_SCHEME) ? resolve(databaseUrl.slice(FILE_SCHEME.length)) : undefined;
}

/** Returns the URL of a database with the absolute path of its file, whose relative path is relative to `folder`. */
export function resolveDatabaseUrl(url: string, folder: string): string {
  return url.startsWith(FILE_SCHEME) ? `${FILE_SCHEME}${resolve(folder, url.slice(FILE_SCHEME.length))}` : url;
}

/** Returns the URL of a database with the path of its file relative to `folder`. `url` contains an absolute path. */
export function relativeDatabaseUrl(url: string, folder: string): string {
  return url.startsWith(FILE_SCHEME) ? `${FILE_SCHEME}${relative(folder, url.slice(FILE_SCHEME.length))}` : url;
}

/** Describes the location of the database for messages: the file, or the database name and its server. */
export function databasePlace(settings: DatabaseLocation): string {
  const { api, databaseUrl } = settings;
  if (api !== undefined && databaseUrl === undefined)
    return `the files of ${api.tables.map(({ name }) => name).join(', ')}`;
  const file = databaseFile(settings);
  if (file !== undefined) return file;
  const address = parseMysqlUrl(settings.databaseUrl ?? '');
  return `database ${address.database} at ${placeOf(address)}`;
}

/** The number of concurrent queries if `DATABASE_CONNECTIONS` is not set. */
export const DEFAULT_CONNECTIONS = { embedded: 4, server: 10 } as const;

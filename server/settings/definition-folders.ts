import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { DEFINITIONS_FOLDER, PAGES_FOLDER } from '../../engine/http/package-root.js';
import type { ApiFolder } from './api-folder.js';
import type { Settings } from './settings.js';

export type FolderSettings = Pick<Settings, 'endpointsDirectory' | 'api'>;

/** Returns the folders of the definitions. A definition of a later folder can override one of an earlier folder. */
export function definitionFolders({ endpointsDirectory, api }: FolderSettings): readonly string[] {
  if (endpointsDirectory === undefined) return [api === undefined ? DEFINITIONS_FOLDER : folderOf(api, 'endpoints')];
  return endpointsDirectory.split(',').map((folder) => (folder === BUILT_IN ? DEFINITIONS_FOLDER : folder));
}

/**
 * Returns the folders of the pages. The built-in pages are only included together with the built-in definitions, because they need them.
 */
export function pageFolders(settings: FolderSettings & Pick<Settings, 'pagesDirectory'>): readonly string[] {
  const { pagesDirectory, api } = settings;
  if (pagesDirectory === undefined) {
    const own = api && folderOf(api, 'pages');
    if (own !== undefined) return existsSync(own) ? [own] : [];
    return definitionFolders(settings).includes(DEFINITIONS_FOLDER) ? [PAGES_FOLDER] : [];
  }
  return pagesDirectory.split(',').map((folder) => (folder === BUILT_IN ? PAGES_FOLDER : folder));
}

/** Returns a folder of an API, relative to the working directory if that is shorter, because messages contain the names of its files. */
function folderOf({ folder }: ApiFolder, name: string): string {
  const [absolute, path] = [join(folder, name), relative('', join(folder, name)) || '.'];
  return path.length < absolute.length ? path : absolute;
}

/** Returns the folder for new definitions: the first folder that is not built in, because an upgrade replaces the built-in folder. */
export function ownFolder(settings: FolderSettings): string {
  const folders = definitionFolders(settings);
  return resolve(folders.find((folder) => folder !== DEFINITIONS_FOLDER) ?? DEFINITIONS_FOLDER);
}

/** Returns the beginning of the paths of new definitions. */
export function newPathPrefix({ api }: FolderSettings): string {
  return api?.prefixes[0] ?? '/v1';
}

/** Returns the value of ENDPOINTS_DIR with absolute paths, for a process with another working directory. */
export function absoluteFolders(endpointsDirectory: string): string {
  const folders = endpointsDirectory.split(',');
  return folders.map((folder) => (folder === BUILT_IN ? folder : resolve(folder))).join(',');
}

/** The word in ENDPOINTS_DIR that means the folder of this package. */
const BUILT_IN = 'built-in';

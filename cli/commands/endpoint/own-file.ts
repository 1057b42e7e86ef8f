import { relative, resolve, sep } from 'node:path';
import { DEFINITIONS_FOLDER } from '../../../engine/http/package-root.js';
import { type FolderSettings, ownFolder } from '../../../server/settings/definition-folders.js';

/** Throws an error if commands must not change this file. */
export function requireOwnFile(settings: FolderSettings, file: string): void {
  const fault = findPackageFile(settings, file);
  if (fault !== undefined) throw new Error(fault);
}

/**
 * Returns the reason why commands must not change a file of the package; undefined for other files. If ENDPOINTS_DIR contains no other
 * folder, files of the package may be changed.
 */
export function findPackageFile(settings: FolderSettings, file: string): string | undefined {
  const builtIn = resolve(DEFINITIONS_FOLDER);
  const own = ownFolder(settings);
  const path = resolve(file);
  if (own === builtIn || !path.startsWith(builtIn + sep)) return undefined;
  return `built-in${sep}${relative(builtIn, path)} is a file of the package, and an upgrade replaces it: copy it to ${own}, add \`overrides: true\`, and change the copy.`;
}

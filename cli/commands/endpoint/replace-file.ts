import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { DEFINITIONS_FOLDER } from '../../../engine/http/package-root.js';
import { type FolderSettings, ownFolder } from '../../../server/settings/definition-folders.js';

/**
 * Replaces a file atomically, so that readers never see only a part of the content. Follows links, and keeps the permissions of an existing
 * file. The name of the temporary file begins with a dot, so that it is not read as a definition.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  const mode = await stat(file).then(
    (entry) => entry.mode,
    () => undefined,
  );
  try {
    await writeFile(temporary, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

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

/** Returns the path of a file relative to the working directory if the file is below it; otherwise the full path. */
export function shortPath(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return path.startsWith('..') ? file : path;
}

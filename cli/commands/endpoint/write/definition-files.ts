import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

/** Returns the files of definitions and of shared parts under a folder, except names that begin with a dot, sorted. */
export async function listDefinitionFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const found = await Promise.all(
    visible.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listDefinitionFiles(path);
      return /\.(ya?ml|json)$/i.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/**
 * Writes a file so that readers see the previous or the new content and never a part of it. Keeps the permissions of an
 * existing file. The name of the temporary file begins with a dot, because such files are not definitions.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
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

/** Returns a path relative to the folder of the caller if the file is below this folder. */
export function shortPath(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return path.startsWith('..') ? file : path;
}

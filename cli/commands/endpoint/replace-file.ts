import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

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

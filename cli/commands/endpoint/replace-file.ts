import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that readers see the previous or the new content and never a part of it. Follows links, and keeps the
 * permissions of an existing file. The name of the temporary file begins with a dot, because such files are not definitions.
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

import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file to write: its path and its text. */
export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes all files, or none: if one cannot be written, all others are restored. Each file is written atomically.
 * Without `replacing`, an existing file is an error.
 */
export async function writeFiles(files: readonly NewFile[], replacing: boolean): Promise<void> {
  const written: { readonly file: string; readonly previous: Uint8Array | undefined }[] = [];
  const temporary = files.map(({ file }) => join(dirname(file), `.${basename(file)}.${randomUUID()}`));
  try {
    for (const [index, { file, text }] of files.entries()) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(temporary[index] ?? '', text, { flag: 'wx' });
    }
    for (const [index, { file }] of files.entries()) {
      const previous = replacing ? await readFile(file).catch(() => undefined) : undefined;
      // `link` fails if the file exists; `rename` replaces it.
      await (replacing ? rename : link)(temporary[index] ?? '', file);
      written.push({ file, previous });
    }
  } catch (error) {
    for (const { file, previous } of written) {
      await (previous === undefined ? rm(file, { force: true }) : writeFile(file, previous));
    }
    throw error;
  } finally {
    for (const path of temporary) await rm(path, { force: true });
  }
}

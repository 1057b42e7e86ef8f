import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the sources. The compiled code is in the subfolder `dist/`. */
export const SOURCE_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Reads the rows of a file with tab-separated cells. The path is relative to the source folder. */
export async function readTabSeparated(file: string): Promise<string[][]> {
  const text = await readFile(join(SOURCE_FOLDER, file), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

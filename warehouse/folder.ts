import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the warehouse's SQL and data files; compiled code lies one folder deeper, in `dist/`. */
export const WAREHOUSE_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../warehouse');

/** The rows of one of its files whose cells stand between tabs. */
export async function tabbedRows(file: string): Promise<string[][]> {
  const text = await readFile(join(WAREHOUSE_FOLDER, file), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

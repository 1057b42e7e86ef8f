import { readFile, writeFile } from 'node:fs/promises';

/** Copies a chunk and replaces each line that is not a complete JSON value by `null`. */
export async function writeWholeLines(path: string, copy: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(copy, lines.map((line) => (line.trim() === '' || isJson(line) ? line : 'null')).join('\n'));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

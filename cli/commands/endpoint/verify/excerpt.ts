import { readFile } from 'node:fs/promises';
import type { Check } from '../../../../engine/index.js';

/** The maximum length of a line of an excerpt. */
const MAX_LENGTH = 160;

/** Returns the line of a definition at a place, and a line with `^` below the place. Undefined if the file cannot be read. */
export async function readExcerpt(place: NonNullable<Check['place']>): Promise<readonly string[] | undefined> {
  const text = await readFile(place.file, 'utf8').catch(() => undefined);
  const line = text?.split(/\r?\n/)[place.line - 1];
  if (line === undefined) return undefined;
  const start = Math.max(0, place.column - MAX_LENGTH / 2);
  const shown = line.slice(start, start + MAX_LENGTH);
  const margin = `${place.line} | `;
  // A tab before the place keeps its width, so that the mark is below the place.
  const before = shown.slice(0, place.column - 1 - start).replaceAll(/[^\t]/g, ' ');
  return [`${margin}${shown}`, `${' '.repeat(margin.length - 2)}| ${before}^`];
}

import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FIXTURES } from './test-warehouse.js';

const HOUR = readFileSync(join(FIXTURES, '2015-01-01-15.json'), 'utf8').trimEnd().split('\n');

/** Returns the lines of the 2015 fixture with times in another hour. Each copy has different actors and numbers. */
export function hourLines(hour: number, copies = 1): string[] {
  const time = new Date(Date.UTC(2015, 0, 1, hour)).toISOString().slice(0, 13);
  return Array.from({ length: copies }, (_, copy) => copy).flatMap((copy) =>
    HOUR.map((line) =>
      line
        .replace(/"created_at":"2015-01-01T15(?=[^"]*"[^"]*$)/, `"created_at":"${time}`)
        .replace(/"id":"(\d+)"/, (_match, id) => `"id":"${Number(id) + 100 * (hour * copies + copy)}"`)
        .replaceAll('"login":"ben"', `"login":"ben${copy % 7}"`)
        .replaceAll('"id":12,', `"id":${1200 + (copy % 7)},`)
        .replaceAll(/"number":(\d+)/g, (_match, number) => `"number":${Number(number) + hour * copies + copy}`),
    ),
  );
}

/** Writes one gzip file per hour into the folder and returns their paths. */
export async function hourFiles(folder: string, hours: readonly number[], copies = 1): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    hours.map(async (hour) => {
      const path = join(folder, `hour-${hour}.json.gz`);
      await writeFile(path, gzipSync(`${hourLines(hour, copies).join('\n')}\n`));
      return path;
    }),
  );
}

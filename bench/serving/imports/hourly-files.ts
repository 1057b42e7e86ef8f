import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const HOUR_MS = 3_600_000;
export const HOURS = 24;

/** A stored repository for the events in the files. */
export interface StoredRepository {
  readonly id: number;
  readonly name: string;
}

/** Returns the start of the first hour in the files, which is 25 hours ago. */
export function startOfFiles(): Date {
  return new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - (HOURS + 1) * HOUR_MS);
}

/**
 * Writes one file of the archive format per hour of a day. Every hour has different accounts, so that the tables of people grow with each
 * import. Returns the files in chronological order.
 */
export async function writeHourlyFiles(
  folder: string,
  start: Date,
  repositories: readonly StoredRepository[],
  eventsPerHour: number,
): Promise<string[]> {
  await mkdir(folder);
  const files: string[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    const from = new Date(start.getTime() + hour * HOUR_MS);
    const file = join(folder, `${from.toISOString().slice(0, 10)}-${from.getUTCHours()}.json.gz`);
    const lines = Array.from({ length: eventsPerHour }, (_, index) => {
      const number = hour * eventsPerHour + index;
      const repository = repositories[number % repositories.length];
      if (repository === undefined) throw new Error('no repositories for the events');
      const time = new Date(from.getTime() + Math.floor((index / eventsPerHour) * HOUR_MS));
      return JSON.stringify(eventOf(number, repository, time));
    });
    await writeFile(file, gzipSync(`${lines.join('\n')}\n`, { level: 1 }));
    files.push(file);
  }
  return files;
}

/** The first id, which is larger than all ids of the demo. */
const FIRST_ID = 9_000_000_000;

function eventOf(number: number, repository: StoredRepository, time: Date) {
  const createdAt = `${time.toISOString().slice(0, 19)}Z`;
  const actor = { id: FIRST_ID + Math.floor(number / 3), login: `visitor-${Math.floor(number / 3)}` };
  const event = { id: String(FIRST_ID + number), actor, repo: repository, public: true, created_at: createdAt };
  if (number % 3 !== 0) return { ...event, type: 'WatchEvent', payload: { action: 'started' } };
  const issue = {
    id: FIRST_ID + number,
    number: 1_000_000 + number,
    user: actor,
    state: 'open',
    comments: 0,
    created_at: createdAt,
  };
  return { ...event, type: 'IssuesEvent', payload: { action: 'opened', issue } };
}

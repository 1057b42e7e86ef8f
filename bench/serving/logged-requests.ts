import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** The time after which the service has written its log. The log collects lines before it writes them. */
const WRITE_MS = 2_000;

/**
 * Counts the requests for a path in the access log of the service. If the disk is too slow, the service drops lines, and a measurement
 * without these lines would be invalid.
 */
export async function countLogged(log: string, path: string): Promise<number> {
  await pause(WRITE_MS);
  const text = JSON.stringify({ url: path }).slice(1, -1);
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(log) })) if (line.includes(text)) lines += 1;
  return lines;
}

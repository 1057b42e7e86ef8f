import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface FeedThread {
  readonly id: number;
  readonly number: number;
  readonly merged?: boolean;
  readonly created_at?: string;
}

/** The fields of an event that the tests use. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly actor: { readonly id: number; readonly login: string };
  readonly repo: { readonly id: number; readonly name: string };
  readonly org?: { readonly id: number; readonly login: string };
  readonly created_at: string;
  readonly payload: {
    readonly action?: string;
    readonly ref_type?: string;
    readonly size?: number;
    readonly issue?: FeedThread;
    readonly pull_request?: FeedThread;
  };
}

/** Reads the events of several archive files, in order. */
export function readEvents(files: readonly string[]): FeedEvent[] {
  return files.flatMap((file) => readLines<FeedEvent>(file));
}

/** Reads a gzip file with one JSON value per line. */
export function readLines<Value>(file: string): Value[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Value);
}

export function countBy<T>(items: Iterable<T>, key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

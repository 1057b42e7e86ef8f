import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import {
  ARCHIVE_URL,
  type ArchiveHour,
  archivesOf,
  filesOf,
  formatArchiveHour,
  parseArchiveHours,
} from './archive-hours.js';

/** A local file or a URL to import. */
export interface Source {
  readonly name: string;
  /** The absolute path or the URL. */
  readonly source: string;
  readonly kind: 'file' | 'url';
}

/** The error for an argument that does not describe a source. The error is thrown before any file is read. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/**
 * Finds the sources that the arguments of a command describe: a file; a folder, with all its event files at any depth; an http(s)
 * URL; or hours of the archive, such as `2015-01-01-15`, `2015-01-01` (a day), `2015-01` (a month) or `2015-01-01-0..2015-01-02-23`
 * (a range). Returns each source once, in the order of the arguments. Throws `SourceError`.
 */
export async function findSources(words: readonly string[], archiveUrl: string = ARCHIVE_URL): Promise<Source[]> {
  const found: Source[] = [];
  for (const word of words) {
    if (/^https?:\/\//i.test(word)) found.push(urlSource(word));
    else if (HOURS.test(word)) found.push(...hourSources(word, archivesOf(archiveUrl)));
    else found.push(...(await findFiles(word)));
  }
  return [...new Map(found.map((source) => [source.source, source])).values()];
}

const HOURS = /^\d{4}-\d\d(-\d\d(-\d+)?)?(\.\.|$)/;

/** The maximum length of a range: 366 days. A longer range is probably a mistake. For more hours, a command can have several ranges. */
const MAX_HOURS = 366 * 24;

function urlSource(url: string): Source {
  if (!URL.canParse(url)) throw new SourceError(`Expected a URL, got ${url}.`);
  const name = basename(new URL(url).pathname);
  return { name: name === '' ? url : name, source: url, kind: 'url' };
}

/** Returns the files of the hours, each hour from every archive. */
function hourSources(range: string, archives: readonly string[]): Source[] {
  const [from = '', to = from] = range.split('..');
  const [first] = parseHours(from, range);
  const [, last] = parseHours(to, range);
  if (last < first) throw new SourceError(`The range ${range} ends before it starts.`);
  const count = last - first + 1;
  if (count > MAX_HOURS) {
    throw new SourceError(
      `The range ${range} has ${count} hours, but a range can have at most ${MAX_HOURS} (366 days). Use several ranges.`,
    );
  }
  return Array.from({ length: count }, (_, index) => `${formatArchiveHour(first + index)}.json.gz`).flatMap((name) =>
    archives.map((archive): Source => ({ name, source: `${filesOf(archive)}${name}`, kind: 'url' })),
  );
}

function parseHours(text: string, range: string): readonly [ArchiveHour, ArchiveHour] {
  const hours = parseArchiveHours(text);
  if (hours !== undefined) return hours;
  throw new SourceError(
    `The range ${range} is invalid at "${text}": expected a day, hour or month in UTC, such as 2015-01-31, 2015-01-31-23 ` +
      'or 2015-01.',
  );
}

async function findFiles(word: string): Promise<Source[]> {
  const path = resolve(word);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isDirectory()) return [{ name: basename(path), source: path, kind: 'file' }];
  const names = (await eventFilesIn(path)).map((file) => relative(path, file)).sort();
  if (names.length === 0) {
    throw new SourceError(`The folder ${path} has no event files: expected names that end with .json or .json.gz.`);
  }
  return names.map((name) => ({ name: basename(name), source: join(path, name), kind: 'file' }));
}

/** Returns the event files at any depth. Ignores a folder that another process, such as a running service, removes in the meantime. */
async function eventFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter(
    (entry) => /\.json(\.gz)?$/.test(entry.name) && (entry.isFile() || entry.isSymbolicLink()),
  );
  const paths = files.map(({ name }) => join(folder, name));
  for (const entry of entries) {
    if (entry.isDirectory()) paths.push(...(await eventFilesIn(join(folder, entry.name)).catch(noneIfRemoved)));
  }
  return paths;
}

function noneIfRemoved(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

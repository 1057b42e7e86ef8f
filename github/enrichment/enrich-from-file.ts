import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { didYouMean, sqlTime } from '../../engine/index.js';
import { isDay } from '../../warehouse/rules/times.js';
import type { PlainValue, Store } from '../../warehouse/store/store.js';
import type { Profile, ProfileTarget, ProfileType } from './profile-target.js';
import { storeProfiles } from './store-profiles.js';

export interface FileOptions {
  /** Adds values that are derived from a profile, for example the country. */
  readonly complete: (profile: Profile) => Profile;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  readonly onProgress?: (state: { readonly bytes: number; readonly totalBytes: number; readonly rows: number }) => void;
}

export interface FileSummary {
  /** The number of records with a profile in the file. */
  readonly refreshed: number;
  /** The number of rows for records that are not in the tables. */
  readonly unknown: number;
  /** The number of rows with errors. */
  readonly wrong: number;
  /** The first ten rows with errors. */
  readonly wrongRows: readonly WrongRow[];
  readonly seconds: number;
  readonly stopped?: string;
}

/**
 * Stores the profiles of a CSV file, 5,000 rows per transaction. The function is idempotent. Rejects with `ProfileFileError` if the whole
 * file is unreadable.
 */
export async function enrichFromFile(
  store: Store,
  target: ProfileTarget,
  file: string,
  { complete, clock, signal, onProgress }: FileOptions,
): Promise<FileSummary> {
  const started = performance.now();
  const totalBytes = await readSize(file);
  const sum = { refreshed: 0, unknown: 0, wrong: 0 };
  const wrongRows: WrongRow[] = [];
  const summary = () => ({ ...sum, wrongRows, seconds: (performance.now() - started) / 1000 });
  const refreshedAt = sqlTime(clock());
  return store.runExclusively(`enrichment of ${target.table}`, 0, async () => {
    for await (const { profiles, wrong, bytes } of readProfiles(file, target, ROWS_PER_TRANSACTION)) {
      if (signal.aborted) return { ...summary(), stopped: (signal.reason as Error).message };
      if (profiles.length > 0) {
        const { known } = await storeProfiles(store, target, profiles.map(complete), refreshedAt);
        sum.refreshed += known;
        sum.unknown += profiles.length - known;
      }
      sum.wrong += wrong.length;
      wrongRows.push(...wrong.slice(0, MAX_LISTED_ROWS - wrongRows.length));
      onProgress?.({ bytes, totalBytes, rows: sum.refreshed + sum.unknown + sum.wrong });
    }
    await store.optimize();
    return summary();
  });
}

const ROWS_PER_TRANSACTION = 5_000;
const MAX_LISTED_ROWS = 10;

/** Returns the size of a file in bytes; 0 for a pipe, whose size is unknown. */
async function readSize(file: string): Promise<number> {
  const stats = await stat(file);
  if (stats.isDirectory()) throw new ProfileFileError(`${file}: expected a CSV file, got a folder.`);
  return stats.size;
}

/** A row with an error. */
interface WrongRow {
  readonly line: number;
  readonly reason: string;
}

interface ProfileRows {
  readonly profiles: readonly Profile[];
  readonly wrong: readonly WrongRow[];
  /** The number of bytes read so far. */
  readonly bytes: number;
}

/** Thrown if the whole file cannot be read as profiles, for example because of its header. */
class ProfileFileError extends Error {
  override readonly name = 'ProfileFileError';
}

/**
 * Reads profiles from a CSV file with a header, `batchSize` rows at a time. The id column is required, other columns of
 * the target are optional. An empty cell changes nothing. If a batch contains an id several times, the last row is
 * used. Throws `ProfileFileError`.
 */
async function* readProfiles(file: string, target: ProfileTarget, batchSize: number): AsyncGenerator<ProfileRows> {
  let wrong: WrongRow[] = [];
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error?.code === 'CSV_MAX_RECORD_SIZE') parser.destroy(createEndlessRowError(file, error));
      else wrong.push(toWrongRow(error));
    },
  });
  // The loop below throws the errors of both streams, so the callback ignores them.
  pipeline(source, parser, () => undefined);
  let header: Header | undefined;
  let profiles = new Map<PlainValue, Profile>();
  let rows = 0;
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (header === undefined) {
      header = readHeader(file, record, target);
      continue;
    }
    const row = readRow(record, header);
    if (typeof row === 'string') wrong.push({ line: info.lines, reason: row });
    else profiles.set(row[target.key] ?? null, row);
    rows++;
    if (rows % batchSize > 0) continue;
    yield { profiles: [...profiles.values()], wrong, bytes: source.bytesRead };
    profiles = new Map();
    wrong = [];
  }
  if (header === undefined) throw new ProfileFileError(`${file}: expected a header and rows, got an empty file.`);
  yield { profiles: [...profiles.values()], wrong, bytes: source.bytesRead };
}

const MAX_ROW_BYTES = 1024 * 1024;

type ColumnReader = { readonly name: string; readonly type: ProfileType | 'id' | 'unused' };
type Header = readonly ColumnReader[];

function readHeader(file: string, names: readonly string[], { key, columns, nameColumns }: ProfileTarget): Header {
  const known: Record<string, ColumnReader['type']> = { [key]: 'id' };
  for (const [name, { type }] of Object.entries(columns)) known[name] = type;
  // Database dumps contain the names of records. These columns are accepted but ignored, because ids identify the rows.
  for (const name of Object.keys(nameColumns)) known[name] = 'unused';
  const header = names.map((name) => ({ name: name.trim(), type: known[name.trim()] }));
  const unknown = header.filter(({ type }) => type === undefined).map(({ name }) => name);
  const duplicates = header.filter(({ name }, index) => header.findIndex((other) => other.name === name) < index);
  const problems = [
    ...unknown.map((name) => `unknown column "${name}"${didYouMean(name, Object.keys(known))}`),
    ...duplicates.map(({ name }) => `duplicate column "${name}"`),
    ...(header.some(({ name }) => name === key) ? [] : [`missing column "${key}"`]),
  ];
  if (problems.length > 0) {
    const list = Object.keys(known).join(', ');
    throw new ProfileFileError(`${file}: invalid header: ${problems.join('; ')}. Allowed columns: ${list}.`);
  }
  return header.map(({ name, type = 'unused' }) => ({ name, type }));
}

/** Returns the profile of a row, or a message about the first error in the row. */
function readRow(cells: readonly string[], header: Header): Profile | string {
  if (cells.length !== header.length) return `expected ${header.length} cells, got ${cells.length}`;
  const profile: Record<string, PlainValue> = {};
  for (const [index, { name, type }] of header.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (type === 'unused') continue;
    const value = cell === '' && type !== 'id' ? null : CELL_READERS[type](cell);
    if (value === undefined)
      return `${name}: expected ${EXPECTED_VALUES[type]}, got ${JSON.stringify(cell.slice(0, 80))}`;
    profile[name] = value;
  }
  return profile;
}

const EXPECTED_VALUES: Readonly<Record<ProfileType | 'id', string>> = {
  id: 'a whole number of at least 1',
  text: 'text in UTF-8',
  count: 'a whole number of at most 2147483647',
  whole: 'a whole number',
  flag: '0, 1, false or true',
  time: 'an ISO 8601 time, for example 2024-05-01T12:00:00Z',
  country: 'two capital letters (ISO 3166-1) or N/A',
  'account-type': 'User, Organization or Bot',
};

const CELL_READERS: Readonly<Record<ProfileType | 'id', (cell: string) => PlainValue | undefined>> = {
  id: (cell) => (isWhole(cell) && cell !== '0' ? Number(cell) : undefined),
  // The decoder replaces bytes that are not UTF-8 by U+FFFD, so a file with U+FFFD has another encoding.
  text: (cell) => (cell.includes('\uFFFD') ? undefined : cell),
  count: (cell) => (isWhole(cell) && Number(cell) <= MAX_COUNT ? Number(cell) : undefined),
  whole: (cell) => (isWhole(cell) ? Number(cell) : undefined),
  flag: (cell) => FLAGS.get(cell.toLowerCase()),
  time: readTime,
  country: (cell) => (/^([A-Z]{2}|N\/A)$/.test(cell) ? cell : undefined),
  'account-type': (cell) => (['User', 'Organization', 'Bot'].includes(cell) ? cell : undefined),
};

/** The maximum of an INT column. */
const MAX_COUNT = 2 ** 31 - 1;

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['0', 0],
  ['1', 1],
  ['false', 0],
  ['true', 1],
]);

function isWhole(cell: string): boolean {
  return /^(0|[1-9]\d*)$/.test(cell) && Number.isSafeInteger(Number(cell));
}

/** Parses a time. A time without a time zone is UTC, as in database dumps. */
function readTime(cell: string): string | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(cell) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const time = Date.parse(
    /(Z|[+-]\d\d:?\d\d)$/.test(cell.slice(10)) ? cell : `${cell.replace(' ', 'T')}${cell.length > 10 ? 'Z' : ''}`,
  );
  // Some databases cannot store years before 1000 or after 9999.
  if (Number.isNaN(time) || !/^[1-9]\d{3}-/.test(new Date(time).toISOString())) return undefined;
  return sqlTime(new Date(time));
}

/** Creates the error for a row without an end, usually because of an unclosed quote. */
function createEndlessRowError(file: string, { lines }: CsvError): ProfileFileError {
  return new ProfileFileError(
    `${file}:${lines}: expected a row of at most 1 MiB; is a quote not closed? ` +
      'Fix the file and run the command again. Rows that are already stored do not change.',
  );
}

function toWrongRow(error: CsvError | undefined): WrongRow {
  const line = Number((error as { lines?: unknown } | undefined)?.lines ?? 0);
  return { line, reason: error?.message.split('\n')[0]?.slice(0, 200) ?? 'unreadable row' };
}

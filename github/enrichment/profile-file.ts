import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { didYouMean, sqlTime } from '../../engine/index.js';
import { isDay } from '../../warehouse/rules/times.js';
import type { PlainValue } from '../../warehouse/store/store.js';
import type { ProfileTarget, ProfileType, ToldProfile } from './profile-target.js';

/** A row that is not taken. */
export interface WrongRow {
  readonly line: number;
  readonly reason: string;
}

export interface ProfileRows {
  readonly profiles: readonly ToldProfile[];
  readonly wrong: readonly WrongRow[];
  /** Bytes read so far. */
  readonly bytes: number;
}

/** The file as a whole cannot be read as profiles. */
export class ProfileFileError extends Error {
  override readonly name = 'ProfileFileError';
}

/**
 * Profiles of a CSV file with a header, so many rows at a time. The id is needed, any of the target's columns may be there,
 * and an empty cell tells nothing. Of an id that comes again within one lot the last row counts. Throws `ProfileFileError`.
 */
export async function* readProfiles(
  file: string,
  target: ProfileTarget,
  rowsAtATime: number,
): AsyncGenerator<ProfileRows> {
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
      if (error?.code === 'CSV_MAX_RECORD_SIZE') parser.destroy(endless(file, error));
      else wrong.push(unreadable(error));
    },
  });
  // What fails is told by the loop below, which ends with the parser.
  pipeline(source, parser, () => undefined);
  let header: Header | undefined;
  let profiles = new Map<PlainValue, ToldProfile>();
  let rows = 0;
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (header === undefined) {
      header = readHeader(file, record, target);
      continue;
    }
    const read = readRow(record, header);
    if (typeof read === 'string') wrong.push({ line: info.lines, reason: read });
    else profiles.set(read[target.key] ?? null, read);
    rows++;
    if (rows % rowsAtATime > 0) continue;
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
  // Dumps have names; the rows are known by their ids.
  for (const name of Object.keys(nameColumns)) known[name] = 'unused';
  const header = names.map((name) => ({ name: name.trim(), type: known[name.trim()] }));
  const unknown = header.filter(({ type }) => type === undefined).map(({ name }) => name);
  const twice = header.filter(({ name }, index) => header.findIndex((other) => other.name === name) < index);
  const problems = [
    ...unknown.map((name) => `the column "${name}" is not known${didYouMean(name, Object.keys(known))}`),
    ...twice.map(({ name }) => `the column "${name}" is there twice`),
    ...(header.some(({ name }) => name === key) ? [] : [`the column "${key}" is missing`]),
  ];
  if (problems.length > 0) {
    const list = Object.keys(known).join(', ');
    throw new ProfileFileError(`${file}: wrong header: ${problems.join('; ')}. There may be: ${list}.`);
  }
  return header.map(({ name, type = 'unused' }) => ({ name, type }));
}

/** The profile, or what is wrong with the row. */
function readRow(cells: readonly string[], header: Header): ToldProfile | string {
  if (cells.length !== header.length) return `expected ${header.length} cells, got ${cells.length}`;
  const profile: Record<string, PlainValue> = {};
  for (const [index, { name, type }] of header.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (type === 'unused') continue;
    const value = cell === '' && type !== 'id' ? null : READERS[type](cell);
    if (value === undefined) return `${name}: expected ${EXPECTED[type]}, got ${JSON.stringify(cell.slice(0, 80))}`;
    profile[name] = value;
  }
  return profile;
}

const EXPECTED: Readonly<Record<ProfileType | 'id', string>> = {
  id: 'a whole number from 1',
  text: 'a text in UTF-8',
  count: 'a whole number up to 2147483647',
  whole: 'a whole number',
  flag: '0, 1, false or true',
  time: 'an ISO time, such as 2024-05-01T12:00:00Z',
  country: 'two capital letters (ISO 3166-1) or N/A',
  'account-type': 'User, Organization or Bot',
};

const READERS: Readonly<Record<ProfileType | 'id', (cell: string) => PlainValue | undefined>> = {
  id: (cell) => (isWhole(cell) && cell !== '0' ? Number(cell) : undefined),
  // What stands for bytes that are not UTF-8, as files in another encoding have them.
  text: (cell) => (cell.includes('\uFFFD') ? undefined : cell),
  count: (cell) => (isWhole(cell) && Number(cell) <= MAX_COUNT ? Number(cell) : undefined),
  whole: (cell) => (isWhole(cell) ? Number(cell) : undefined),
  flag: (cell) => FLAGS.get(cell.toLowerCase()),
  time: readTime,
  country: (cell) => (/^([A-Z]{2}|N\/A)$/.test(cell) ? cell : undefined),
  'account-type': (cell) => (['User', 'Organization', 'Bot'].includes(cell) ? cell : undefined),
};

/** What an INT of the tables takes. */
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

/** Without a zone the time is UTC, as databases write it. */
function readTime(cell: string): string | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(cell) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const time = Date.parse(
    /(Z|[+-]\d\d:?\d\d)$/.test(cell.slice(10)) ? cell : `${cell.replace(' ', 'T')}${cell.length > 10 ? 'Z' : ''}`,
  );
  // Years that every database holds.
  if (Number.isNaN(time) || !/^[1-9]\d{3}-/.test(new Date(time).toISOString())) return undefined;
  return sqlTime(new Date(time));
}

/** What follows is of a row that never ends, or after a quote that was never closed. */
function endless(file: string, { lines }: CsvError): ProfileFileError {
  return new ProfileFileError(
    `${file}:${lines}: expected a row of at most 1 MiB; is there a quote that is not closed? ` +
      'Mend the file and give it again: rows that were stored before stay the same.',
  );
}

function unreadable(error: CsvError | undefined): WrongRow {
  const line = Number((error as { lines?: unknown } | undefined)?.lines ?? 0);
  return { line, reason: error?.message.split('\n')[0]?.slice(0, 200) ?? 'cannot be read' };
}

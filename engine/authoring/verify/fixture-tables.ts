import type { BoundValue } from '../../databases/interface/database.js';
import type { FixtureDefinition, FixtureRow, FixtureValue } from '../../definitions/definition.js';
import { describeValue } from '../../definitions/definition-source.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { Problem } from '../../definitions/problem.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { CellKind, FixtureColumn, FixtureDatabase, FixtureTable } from './fixture-database.js';

/** The maximum number of problems that are reported for one table of a fixture. */
const MAX_PROBLEMS = 10;

/** The tables of a fixture, or all problems of their rows. */
export type FixtureContent = { readonly tables: readonly FixtureTable[] } | { readonly problems: readonly Problem[] };

/**
 * Reads the rows of a fixture. Tables of the program have the columns and types of the database; the columns of other tables are
 * those of the rows, with types that fit all values.
 */
export function readFixtureTables(
  endpoint: Endpoint,
  fixture: FixtureDefinition,
  known: FixtureDatabase['tables'],
): FixtureContent {
  const index = endpoint.definition.fixtures.indexOf(fixture);
  const path = ['fixtures', index, 'tables'];
  const reader = (table: string) => new TableReader(endpoint, [...path, table]);
  const given = new Map(Object.entries(fixture.tables).map(([table, rows]) => [table.toLowerCase(), { table, rows }]));
  const contents = [...given].map(([name, { table, rows }]) => reader(table).read(name, rows, known.get(name)));
  const missing = [...endpoint.tables].filter((name) => !known.has(name) && !given.has(name) && !/[.(]/.test(name));
  const problems = [
    ...contents.flatMap((content) => content.problems),
    ...missing.map((name) => endpoint.problem(path, missingMessage(name), { at: 'key' })),
  ];
  return problems.length > 0 ? { problems } : { tables: contents.map(({ content }) => content) };
}

function missingMessage(table: string): string {
  return `the fixture needs at least one row of ${table}: it is not a table of the service, so its columns are unknown`;
}

/** Reads the rows of one table and collects the problems of their cells. */
class TableReader {
  readonly #problems: Problem[] = [];
  readonly #endpoint: Endpoint;
  readonly #path: readonly (string | number)[];

  constructor(endpoint: Endpoint, path: readonly (string | number)[]) {
    this.#endpoint = endpoint;
    this.#path = path;
  }

  read(name: string, rows: readonly FixtureRow[], known: readonly FixtureColumn[] | undefined) {
    const columns = known ?? this.#inferColumns(name, rows);
    if (this.#problems.length > 0) return { content: { name, columns, rows: [] }, problems: this.#problems };
    const byName = new Map(columns.map((column, place) => [column.name.toLowerCase(), { column, place }]));
    const cells = rows.map((row, index) => {
      const written = new Array<ReturnType<typeof this.readCell>>(columns.length).fill(undefined);
      for (const [key, value] of Object.entries(row)) {
        const found = byName.get(key.toLowerCase());
        if (found === undefined) this.#rejectColumn(name, [index, key], columns);
        else written[found.place] = this.readCell(found.column, value, [index, key]);
      }
      return written;
    });
    return { content: { name, columns, rows: cells }, problems: this.#problems };
  }

  readCell(column: FixtureColumn, value: FixtureValue, place: readonly (string | number)[]) {
    const reading = readCell(column, value);
    if ('value' in reading) return reading.value;
    const got = value === null ? 'NULL' : describeValue(value);
    this.#report(place, `invalid value for the column ${column.name}`, { expected: reading.expected, got });
    return undefined;
  }

  /** Derives the columns of a table of another program from the values of its rows. */
  #inferColumns(name: string, rows: readonly FixtureRow[]): FixtureColumn[] {
    if (rows.length === 0) this.#report([], missingMessage(name), { at: 'key' });
    const columns = new Map<string, { readonly name: string; readonly row: number; readonly values: FixtureValue[] }>();
    for (const [index, row] of rows.entries()) {
      for (const [key, value] of Object.entries(row)) {
        const column = columns.get(key.toLowerCase());
        if (column === undefined) columns.set(key.toLowerCase(), { name: key, row: index, values: [value] });
        else column.values.push(value);
      }
    }
    return [...columns.values()].map(({ name: column, row, values }) => {
      const kind = inferKind(values);
      if (kind === undefined) {
        const message = `the values of the column ${column} have different types`;
        this.#report([row, column], message, { expected: 'only numbers, or only text in quotes' });
      }
      return { name: column, kind: kind ?? 'text', nullable: true };
    });
  }

  #rejectColumn(table: string, place: readonly (string | number)[], columns: readonly FixtureColumn[]): void {
    const names = columns.map((column) => column.name);
    const hint = didYouMean(String(place.at(-1)), names);
    const facts = hint === '' ? { expected: `one of ${names.join(', ')}` } : {};
    this.#report(place, `the table ${table} has no column ${place.at(-1)}${hint}`, { at: 'key', ...facts });
  }

  #report(
    place: readonly (string | number)[],
    message: string,
    facts: { readonly at?: 'key'; readonly expected?: string; readonly got?: string },
  ): void {
    if (this.#problems.length >= MAX_PROBLEMS) return;
    this.#problems.push(this.#endpoint.problem([...this.#path, ...place], message, facts));
  }
}

/** The value of a cell for its column, or a description of the values that the column can contain. */
type CellReading = { readonly value: BoundValue } | { readonly expected: string };

/** Converts a cell of a fixture to the type of its column. A value that does not fit exactly is an error. */
function readCell(column: FixtureColumn, value: FixtureValue): CellReading {
  if (value === null) return column.nullable ? { value } : { expected: `${EXPECTED[column.kind]}, not NULL` };
  switch (column.kind) {
    case 'integer':
      return readInteger(column, value);
    case 'decimal':
      return readDecimal(column, value);
    case 'float':
      return NUMBER.test(String(value)) ? { value: String(value) } : { expected: EXPECTED.float };
    case 'text':
      if (typeof value !== 'string') return { expected: 'text in quotes' };
      return UNSTORABLE.test(value) ? { expected: 'text without NUL and lone surrogates' } : { value };
    case 'date':
      return DATE.test(String(value)) && isExisting(String(value))
        ? { value: String(value) }
        : { expected: EXPECTED.date };
    case 'datetime':
      return DATETIME.test(String(value)) && isExisting(String(value))
        ? { value: String(value) }
        : { expected: EXPECTED.datetime };
    case 'time':
      return TIME.test(String(value)) ? { value: String(value) } : { expected: EXPECTED.time };
  }
}

/** Finds the kind of a column from its values: the kind that all of them have. Undefined if they have different kinds. */
function inferKind(values: readonly FixtureValue[]): CellKind | undefined {
  const present = values.filter((value) => value !== null);
  const kinds = new Set(present.map(kindOf));
  if (kinds.size === 0) return 'text';
  if (kinds.size === 1) return [...kinds][0];
  const isOneOf = (...known: CellKind[]) => [...kinds].every((kind) => known.includes(kind));
  if (isOneOf('integer', 'float')) return 'float';
  if (isOneOf('date', 'datetime')) return 'datetime';
  // Texts of digits count as integers, because integers beyond 2^53 must be in quotes.
  if (isOneOf('integer', 'text') && present.every((value) => typeof value === 'boolean' || INTEGER.test(String(value))))
    return 'integer';
  return isOneOf('text', 'date', 'datetime') ? 'text' : undefined;
}

const EXPECTED: Readonly<Record<CellKind, string>> = {
  integer: 'an integer',
  decimal: 'a number',
  float: 'a number',
  text: 'text',
  date: 'an existing day as YYYY-MM-DD',
  datetime: 'an existing time (UTC) as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS',
  time: 'a time as HH:MM:SS',
};

const INTEGER = /^-?\d{1,40}$/;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?$/;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATETIME = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

function kindOf(value: NonNullable<FixtureValue>): CellKind {
  if (typeof value === 'boolean') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (DATE.test(value) && isExisting(value)) return 'date';
  return DATETIME.test(value) && isExisting(value) ? 'datetime' : 'text';
}

/** Whether a correctly formatted date or datetime exists: `2024-02-30` does not. */
function isExisting(text: string): boolean {
  const [seconds = ''] = (text.length === 10 ? `${text} 00:00:00` : text).split('.');
  const time = new Date(`${seconds}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(seconds.replace(' ', 'T'));
}

function readInteger({ range }: FixtureColumn, value: NonNullable<FixtureValue>): CellReading {
  const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
  if (range === undefined) return INTEGER.test(text) ? { value: text } : { expected: EXPECTED.integer };
  const [minimum, maximum] = range;
  const isInside = INTEGER.test(text) && BigInt(text) >= minimum && BigInt(text) <= maximum;
  return isInside ? { value: text } : { expected: `an integer from ${minimum} to ${maximum}` };
}

function readDecimal({ digits }: FixtureColumn, value: NonNullable<FixtureValue>): CellReading {
  const [, whole, fraction = ''] = DECIMAL.exec(String(value)) ?? [];
  if (whole === undefined) return { expected: EXPECTED.decimal };
  const [before, after] = digits ?? [whole.length, fraction.length];
  const fits = whole.replace(/^0+/, '').length <= before && fraction.replace(/0+$/, '').length <= after;
  return fits
    ? { value: String(value) }
    : { expected: `a number with at most ${before} digits before and ${after} digits after the point` };
}

import { createJsonWriter, createTextWriter, isNumeric } from '../../answers/cells/cells.js';
import { headingText } from '../../charts/label-text.js';
import { columnFields } from '../../definitions/column-fields.js';
import type { ColumnDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { childrenOf, groupRows, type Nesting } from '../../definitions/endpoint/nesting.js';
import type { AnswerFacts } from './answer-facts.js';
import { createArrowEncoder } from './arrow.js';
import type { ClosedFormat, CsvOptions, RowEncoder, RowFormat, Rows } from './format.js';

/** The part of an endpoint that determines the structure of its rows. */
type RowStructure = Pick<Endpoint, 'nesting'> & { readonly definition: Pick<Endpoint['definition'], 'columns'> };

/** With `nest`, each batch of rows must contain all rows of its parents. */
export function createRowEncoder(format: RowFormat, structure: RowStructure): RowEncoder {
  const closed = format.replace(/-unclosed$/, '') as ClosedFormat;
  const encoder = createClosedEncoder(closed, structure);
  return closed === format ? encoder : { ...encoder, end: () => '' };
}

function createClosedEncoder(format: ClosedFormat, { definition: { columns }, nesting }: RowStructure): RowEncoder {
  switch (format) {
    case 'ndjson':
      return nesting === undefined ? createRowLines(columns) : createParentLines(columns, nesting);
    case 'arrow':
      return createArrowEncoder(columns);
    default:
      return createCsvEncoder(columns, { isSafe: format.includes('-safe'), hasLabels: format.includes('-labels') });
  }
}

/** Encodes a whole answer. `end` is the part with the metadata, which contain the number of records. */
export function encodeAnswer(
  format: RowFormat,
  structure: RowStructure,
  rows: Rows,
  given: AnswerFacts,
): { readonly body: Buffer; readonly endBytes: number; readonly facts: AnswerFacts } {
  const encoder = createRowEncoder(format, structure);
  const parts = [encoder.start()];
  const batchRows = encoder.records === undefined ? BATCH_ROWS : Math.max(1, rows.length);
  for (let first = 0; first < rows.length; first += batchRows) {
    parts.push(encoder.rows(rows.slice(first, first + batchRows)));
  }
  const facts = { ...given, rows: encoder.records?.() ?? given.rows };
  const end = toBuffer(encoder.end(facts));
  return { body: Buffer.concat([...parts.map(toBuffer), end]), endBytes: end.length, facts };
}

/** The number of rows per batch. Larger batches would need more memory. */
const BATCH_ROWS = 8_192;

function toBuffer(part: string | Buffer): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part;
}

/**
 * Writes CSV as RFC 4180 defines it: a header record, CRLF, and quotes where a cell needs them. NULL is an empty field, an
 * empty text is `""`. In a result with one column, NULL is also `""`, because readers skip empty lines.
 *
 * With `isSafe`, texts that a spreadsheet would execute as a formula get an apostrophe in front.
 */
function createCsvEncoder(columns: readonly ColumnDefinition[], { isSafe, hasLabels }: CsvOptions): RowEncoder {
  const header = hasLabels
    ? columnFields(columns).map((field) => quote(isSafe ? neutralize(headingText(field)) : headingText(field)))
    : columns.map(({ col }) => col);
  const nullField = columns.length === 1 ? '""' : '';
  const writers = columns.map((column) => {
    const write = createTextWriter(column);
    if (isNumeric(column.data_type)) return write;
    return isSafe
      ? (cell: Parameters<typeof write>[0]) => quote(neutralize(write(cell)))
      : (cell: Parameters<typeof write>[0]) => quote(write(cell));
  });
  const buffer = new TextBuffer();
  return {
    start: () => `${header.join(',')}\r\n`,
    rows(rows: Rows) {
      for (const cells of rows) {
        let text = '';
        for (let index = 0; index < writers.length; index += 1) {
          const cell = cells[index] ?? null;
          if (index > 0) text += ',';
          text += cell === null ? nullField : (writers[index] as (typeof writers)[number])(cell);
        }
        buffer.add(`${text}\r\n`);
      }
      return buffer.take();
    },
    end: (facts) => (facts.truncated ? closingRecord(columns.length, facts) : ''),
  };
}

/** Returns the closing record of a truncated result, so that it does not look complete. The record is not a row, but has as many fields. */
function closingRecord(columns: number, { rows }: AnswerFacts): string {
  const text = `_truncated: more rows exist than these ${rows}`;
  return `${text}${','.repeat(columns - 1)}\r\n`;
}

const NEEDS_QUOTES = /[",\r\n]/;

function quote(text: string): string {
  if (text === '') return '""';
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The first characters of formulas that OWASP lists, and their full-width forms, which spreadsheets convert. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function neutralize(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * Writes one JSON object per line, with the same values as `/q`: exact numbers as numbers, NULL as null. The last line is the closing record,
 * whose only member is `_end`.
 */
function createRowLines(columns: readonly ColumnDefinition[]): RowEncoder {
  const write = createObjectWriter(columns, [...columns.keys()]);
  const buffer = new TextBuffer();
  return {
    start: () => '',
    rows(rows: Rows) {
      for (const cells of rows) buffer.add(`${write(cells)}}\n`);
      return buffer.take();
    },
    end: writeClosingRecord,
  };
}

/** As `createRowLines`, but a line is a parent with the list of its children. */
function createParentLines(columns: readonly ColumnDefinition[], nesting: Nesting): RowEncoder {
  const writeParent = createObjectWriter(columns, nesting.parentColumns);
  const writeChild = createObjectWriter(columns, nesting.childColumns);
  const list = JSON.stringify(nesting.list);
  const buffer = new TextBuffer();
  let records = 0;
  return {
    start: () => '',
    rows(rows: Rows) {
      const groups = groupRows(nesting, rows);
      records += groups.length;
      for (const group of groups) {
        const children = childrenOf(nesting, group).map((cells) => `${writeChild(cells)}}`);
        buffer.add(`${writeParent(group[0] as Rows[number])},${list}:[${children.join(',')}]}\n`);
      }
      return buffer.take();
    },
    records: () => records,
    end: writeClosingRecord,
  };
}

function writeClosingRecord(facts: AnswerFacts): string {
  return `${JSON.stringify({ _end: facts })}\n`;
}

/** Creates the writer of an object with the cells of these columns, without its closing brace. */
function createObjectWriter(
  columns: readonly ColumnDefinition[],
  places: readonly number[],
): (cells: Rows[number]) => string {
  const members = places.map((place, index) => {
    const column = columns[place] as ColumnDefinition;
    const name = `${index === 0 ? '{' : ','}${JSON.stringify(column.col)}:`;
    return { place, name, write: createJsonWriter(column) };
  });
  return (cells) => {
    let text = '';
    for (let index = 0; index < members.length; index += 1) {
      const { place, name, write } = members[index] as (typeof members)[number];
      text += name + write(cells[place] ?? null);
    }
    return text;
  };
}

/**
 * Collects records as UTF-8 bytes. It converts several records together, which is faster than one by one. It does not
 * collect too many, because long-lived strings make garbage collection slower.
 */
class TextBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #waiting = '';
  #waitingRecords = 0;
  #expected = FIRST_BYTES;

  add(record: string): void {
    this.#waiting += record;
    this.#waitingRecords += 1;
    if (this.#waitingRecords === JOINED_RECORDS) this.#convert();
  }

  /** Returns all bytes that were collected since the last call. */
  take(): Buffer {
    this.#convert();
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#expected = Math.max(FIRST_BYTES, this.#length + this.#length / 8);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return bytes;
  }

  #convert(): void {
    this.#reserve(this.#waiting.length * MAX_BYTES_PER_UNIT);
    this.#length += this.#bytes.write(this.#waiting, this.#length);
    this.#waiting = '';
    this.#waitingRecords = 0;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#expected, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const JOINED_RECORDS = 16;
const FIRST_BYTES = 16 * 1024;
/** UTF-8 needs at most three bytes for each UTF-16 code unit of a string. */
const MAX_BYTES_PER_UNIT = 3;

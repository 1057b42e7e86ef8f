import Table from 'cli-table3';
import stringWidth from 'string-width';
import { type Colour, paint } from './colours.js';
import { drawProgress, type Progress, writeProgress } from './progress.js';
import type { Terminal } from './terminal.js';

/** The output of a command. Results are written to standard output; progress, warnings and errors to standard error. */
export class Output {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get isTerminal(): boolean {
    return this.#terminal.isTerminal;
  }

  /** The width of the terminal; undefined for a pipe or a file. */
  get columns(): number | undefined {
    return this.#terminal.columns;
  }

  get hasColour(): Terminal['colour'] {
    return this.#terminal.colour;
  }

  print(text = ''): void {
    this.#terminal.out(`${text}\n`);
  }

  /** Prints a message and more lines for people, or one line in the JSON log with these members. */
  announce(message: string, members: object, lines: readonly string[]): void {
    if (this.#terminal.log !== undefined) this.#terminal.log(message, members);
    else this.print([message, ...lines].join('\n'));
  }

  /** Writes a part of a long result. The caller must await the promise before it writes the next part. */
  write(text: string): Promise<void> | undefined {
    this.#terminal.out(text);
    return this.#terminal.drained?.();
  }

  json(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  note(text: string): void {
    this.#terminal.err(`${text}\n`);
  }

  warn(text: string): void {
    this.#noteIn('yellow', text);
  }

  error(text: string): void {
    this.#noteIn('red', text);
  }

  /** Adds a colour to a text for standard output, if this stream is coloured. */
  coloured(colour: Colour, text: string): string {
    return this.#terminal.colour.out ? paint(colour, text) : text;
  }

  /** Prints a table that fits the terminal. A note lists the hidden columns and states whether values are truncated. */
  table(head: readonly string[], rows: readonly (readonly (string | number)[])[], options?: TableOptions): void {
    this.print(this.formatTable(head, rows, options));
    this.noteAboutTable(head, rows, options);
  }

  /** Returns the text of a table that fits the terminal. `noteAboutTable` must be called after printing it. */
  formatTable(
    head: readonly string[],
    rows: readonly (readonly (string | number)[])[],
    options?: TableOptions,
  ): string {
    const { columns } = fitTable(head, rows, this.#terminal.columns, options);
    const table = new Table({
      head: columns.map(({ title, width }) => this.coloured('bold', cutText(title, width))),
      colAligns: columns.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
      colWidths: columns.map(({ width }) => width + 2),
      style: { head: [], border: [], compact: true },
    });
    for (const at of rows.keys()) table.push(columns.map((column) => cellOf(column, at)));
    return table.toString();
  }

  /** Prints a note about the parts of a table that were omitted to fit the terminal. */
  noteAboutTable(
    head: readonly string[],
    rows: readonly (readonly (string | number)[])[],
    options?: TableOptions,
  ): void {
    const missing = describeMissing(fitTable(head, rows, this.#terminal.columns, options));
    if (missing !== undefined) this.#noteIn('dim', `To fit the terminal, ${missing}. Use --wide to print everything.`);
  }

  /** Writes rows without borders. The last cell of a row is wrapped to fit the terminal. */
  list(rows: readonly (readonly string[])[]): void {
    const last = Math.max(...rows.map((row) => row.length)) - 1;
    const widths = Array.from({ length: last }, (_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))) + 2);
    const used = widths.reduce((sum, width) => sum + width, 0);
    const rest = this.#terminal.columns && Math.max(20, this.#terminal.columns - used);
    for (const row of rows) {
      const start = widths.map((width, at) => padTo(row[at] ?? '', width)).join('');
      const texts = (row[last] ?? '').split('\n').map(toCell);
      const lines = rest === undefined ? texts : texts.flatMap((text) => wrapText(text, rest));
      for (const [at, line] of lines.entries()) {
        this.print(`${at === 0 ? start : ' '.repeat(used)}${line}`.trimEnd());
      }
    }
  }

  /** Shows progress: a bar on a terminal; otherwise it prints one line for every 10 %. */
  progress(label: string): Progress {
    return this.#terminal.isTerminal ? drawProgress(label) : writeProgress(label, (text) => this.note(text));
  }

  #noteIn(colour: Colour, text: string): void {
    this.note(this.#terminal.colour.err ? paint(colour, text) : text);
  }
}

function cellOf({ cells, isProse, width }: Column, at: number): string {
  const cell = cells[at] ?? '';
  return isProse ? wrapText(cell, width).join('\n') : cutText(cell, width);
}

function describeMissing({ columns, hidden }: FittedTable): string | undefined {
  const isCut = columns.some(({ isProse, cells, width }) => !isProse && cells.some((cell) => widthOf(cell) > width));
  const facts = [
    ...(isCut ? ['values that end with … are shortened'] : []),
    ...(hidden.length === 0 ? [] : [`these columns are hidden: ${hidden.join(', ')}`]),
  ];
  return facts.length === 0 ? undefined : facts.join(', and ');
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** How a table is reduced for a terminal that is too narrow. */
interface TableOptions {
  /**
   * Columns that are hidden first, in this order. After these columns, columns with long texts are hidden, then the last columns. The first
   * column is never hidden.
   */
  readonly optional?: readonly string[];
  /** Columns with sentences. The cells of these columns are wrapped; cells of other columns are truncated. */
  readonly prose?: readonly string[];
}

interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
  readonly isProse: boolean;
  readonly width: number;
}

/** A table whose columns fit into a width. */
interface FittedTable {
  readonly columns: readonly Column[];
  /** The titles of the hidden columns. */
  readonly hidden: readonly string[];
}

/** Chooses the columns and their widths. Without a width, the table has all columns, and values are not truncated. */
function fitTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  width: number | undefined,
  { optional = [], prose = [] }: TableOptions = {},
): FittedTable {
  const all = head.map((title, at): Column => {
    const cells = rows.map((row) => toCell(row[at] ?? ''));
    const natural = Math.max(widthOf(title), ...cells.map(widthOf));
    const isNumber = natural <= MOST_DIGITS && areNumbers(cells);
    return { title: toCell(title), cells, isNumber, isProse: prose.includes(title), width: natural };
  });
  if (width === undefined) return { columns: all, hidden: [] };
  const first = all[0];
  const leastOf = (column: Column) => leastWidth(column, column === first ? Math.floor(width / 2) : undefined);
  let columns = all;
  while (columns.length > 1 && sum(columns.map(leastOf)) > spaceFor(columns, width)) {
    const least = leastImportant(columns, optional);
    columns = columns.filter((column) => column !== least);
  }
  const hidden = all.filter((column) => !columns.includes(column)).map(({ title }) => title);
  const space = spaceFor(columns, width);
  const limit = limitOf(columns, leastOf, space);
  const fitted = columns.map((column) => {
    const most = Math.min(column.width, Math.max(limit, leastOf(column)));
    return { ...column, width: columns.length === 1 ? Math.min(column.width, space) : most };
  });
  return { columns: fitted, hidden };
}

/** Returns the column to hide next: an optional column, otherwise the widest column with long texts, otherwise the last column. */
function leastImportant(columns: readonly Column[], optional: readonly string[]): Column | undefined {
  const others = columns.slice(1);
  const named = optional.flatMap((title) => others.filter((column) => column.title === title));
  const long = others.filter(({ isProse, width }) => !isProse && width > LONG_TEXT).sort((a, b) => b.width - a.width);
  return named[0] ?? long[0] ?? others.at(-1);
}

const LONG_TEXT = 40;

/** Longer numbers are treated as text. */
const MOST_DIGITS = 24;

function areNumbers(cells: readonly string[]): boolean {
  return cells.some((cell) => cell !== '') && cells.every((cell) => /^(-?[\d,]+(\.\d+)?( %)?)?$/.test(cell));
}

/** Returns the space for the cells, without borders and without the spaces on both sides of each cell. */
function spaceFor(columns: readonly Column[], width: number): number {
  return Math.max(1, width - 3 * columns.length - 1);
}

/** Returns the minimum width of a column. If the least width does not fit, the column is hidden. Numbers are never truncated. */
function leastWidth({ title, width, isNumber, isProse }: Column, ofFirst: number | undefined): number {
  if (isNumber) return width;
  return Math.min(width, ofFirst ?? Math.max(widthOf(title), isProse ? LEAST_PROSE : LEAST_TEXT));
}

const LEAST_TEXT = 16;
const LEAST_PROSE = 20;

/** Returns the maximum column width with which all columns fit into the space. */
function limitOf(columns: readonly Column[], leastOf: (column: Column) => number, space: number): number {
  const needed = (limit: number) =>
    sum(columns.map((column) => Math.min(column.width, Math.max(limit, leastOf(column)))));
  let limit = Math.min(space, Math.max(...columns.map(({ width }) => width)));
  while (limit > 1 && needed(limit) > space) limit -= 1;
  return limit;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the number of terminal columns that a text occupies. */
function widthOf(text: string): number {
  return stringWidth(text);
}

/**
 * Returns the text of a cell on one line. Control characters such as line breaks are replaced by visible characters, so that data cannot
 * move the cursor, change the text direction or split a row.
 */
function toCell(value: string | number): string {
  return String(value)
    .replaceAll(/\r\n|\r|\n/g, '↵')
    .replaceAll('\t', ' ')
    .replaceAll(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters, and characters that change the direction of the text. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Truncates a text to a width. A truncated text ends with `…`. */
function cutText(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${beginningOf(text, width - 1)}…`;
}

/** Breaks a text between words into lines of at most this width. A longer word is split. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      const part = beginningOf(line, width);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return [...lines, line];
}

/** Returns the first characters that fit into a width, but at least one. */
function beginningOf(text: string, width: number): string {
  let beginning = '';
  let used = 0;
  for (const { segment } of CHARACTERS.segment(text)) {
    used += widthOf(segment);
    if (used > width && beginning !== '') break;
    beginning += segment;
    if (used > width) break;
  }
  return beginning;
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

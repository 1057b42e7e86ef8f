import Table from 'cli-table3';
import { cutText, toCell, widthOf, wrapText } from './cells.js';
import { type Colour, paint } from './colours.js';
import { type Column, type FittedTable, fitTable, type TableOptions } from './fit-table.js';
import { drawProgress, type Progress, writeProgress } from './progress.js';
import type { Terminal } from './terminal.js';

/** Results go to standard output; progress, warnings and errors go to standard error. */
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

  /** Prints a message with more lines for people, or one line of the JSON log with these members. */
  announce(message: string, members: object, lines: readonly string[]): void {
    if (this.#terminal.log !== undefined) this.#terminal.log(message, members);
    else this.print([message, ...lines].join('\n'));
  }

  /** Writes a part of a long result. The caller must wait for the promise before it writes the next part. */
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

  /** Returns a text of standard output with a colour, if this stream gets colours. */
  coloured(colour: Colour, text: string): string {
    return this.#terminal.colour.out ? paint(colour, text) : text;
  }

  /** Prints a table that fits the terminal. A note names the hidden columns and says whether values are shortened. */
  table(head: readonly string[], rows: readonly (readonly (string | number)[])[], options?: TableOptions): void {
    this.print(this.formatTable(head, rows, options));
    this.noteAboutTable(head, rows, options);
  }

  /** Returns the text of a table that fits the terminal. Call `noteAboutTable` after printing it. */
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

  /** Notes what a table does not contain, because it has to fit the terminal. */
  noteAboutTable(
    head: readonly string[],
    rows: readonly (readonly (string | number)[])[],
    options?: TableOptions,
  ): void {
    const missing = describeMissing(fitTable(head, rows, this.#terminal.columns, options));
    if (missing !== undefined) this.#noteIn('dim', `To fit the terminal, ${missing}. Use --wide to print everything.`);
  }

  /** Writes rows without borders. The last cell of a row is wrapped, so that its lines fit the terminal. */
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

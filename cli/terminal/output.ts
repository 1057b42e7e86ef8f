import { styleText } from 'node:util';
import cliProgress from 'cli-progress';
import Table from 'cli-table3';

/** The terminal that a command writes to. A command that runs in a server writes to the terminal of the caller. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly colour: boolean;
  out(text: string): void;
  err(text: string): void;
}

export interface Progress {
  /** `total` may grow during the work. */
  update(done: number, total: number, note: string): void;
  stop(): void;
}

/** Results go to standard output; progress, warnings and errors go to standard error. */
export class Output {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get isTerminal(): boolean {
    return this.#terminal.isTerminal;
  }

  print(text = ''): void {
    this.#terminal.out(`${text}\n`);
  }

  json(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  note(text: string): void {
    this.#terminal.err(`${text}\n`);
  }

  warn(text: string): void {
    this.note(this.coloured('yellow', text));
  }

  error(text: string): void {
    this.note(this.coloured('red', text));
  }

  coloured(colour: 'green' | 'yellow' | 'red' | 'dim', text: string): string {
    return this.#terminal.colour ? styleText(colour, text, { validateStream: false }) : text;
  }

  /** Truncates wide cells with `…`; `--json` has the whole values. */
  table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
    this.print(this.formatTable(head, rows));
  }

  /** Returns the text of a table. */
  formatTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
    const widest = Math.max(16, Math.floor((this.#terminal.columns * 1.5) / head.length));
    const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
    for (const row of rows) table.push(row.map((cell) => truncate(String(cell), widest)));
    return table.toString();
  }

  /** Writes rows without borders. The last cell of a row is wrapped, so that its lines fit the terminal. */
  list(rows: readonly (readonly string[])[]): void {
    const last = Math.max(...rows.map((row) => row.length)) - 1;
    const widths = Array.from({ length: last }, (_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)) + 2);
    const rest = Math.max(20, this.#terminal.columns - widths.reduce((sum, width) => sum + width, 0));
    const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
    const table = new Table({ chars: NO_BORDERS, style, colWidths: [...widths, rest], wordWrap: true });
    for (const row of rows) table.push([...row]);
    this.print(table.toString().replaceAll(/ +$/gm, ''));
  }

  /** Shows progress: a bar on a terminal; otherwise it prints one line for every 10 %. */
  progress(label: string): Progress {
    return this.#terminal.isTerminal ? bar(label) : progressLines(label, (text) => this.note(text));
  }
}

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'left-mid', 'mid-mid', 'right-mid', 'middle']
    .concat(['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'])
    .map((name) => [name, '']),
);

/** Returns the terminal, pipe or file that this process writes to. */
export function ownTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    isTerminal: stderr.isTTY === true,
    columns: stdout.columns ?? 120,
    colour: stdout.isTTY === true && env.NO_COLOR === undefined,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
  };
}

function bar(label: string): Progress {
  const progressBar = new cliProgress.SingleBar({
    format: `${label} {bar} {percentage}% | {note} | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    update(done, total, note) {
      if (!started) progressBar.start(total, 0, { note });
      started = true;
      progressBar.setTotal(total);
      progressBar.update(done, { note });
    },
    stop() {
      if (started) progressBar.stop();
    },
  };
}

function progressLines(label: string, write: (text: string) => void): Progress {
  let shown = 0;
  return {
    update(done, total, note) {
      const now = total === 0 ? 0 : Math.floor((done / total) * 10);
      if (now <= shown) return;
      shown = now;
      write(`${label} ${now * 10}% | ${note}`);
    },
    stop() {},
  };
}

function truncate(text: string, widest: number): string {
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}

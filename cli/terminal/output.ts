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

  /** Shows progress: a bar on a terminal; otherwise it prints one line for every 10 %. */
  progress(label: string): Progress {
    return this.#terminal.isTerminal ? bar(label) : progressLines(label, (text) => this.note(text));
  }
}

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

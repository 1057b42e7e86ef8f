import { styleText } from 'node:util';
import cliProgress from 'cli-progress';
import Table from 'cli-table3';

type Style = Parameters<typeof styleText>[0];

export interface Progress {
  /** `total` may grow while the work goes on. */
  update(done: number, total: number, note: string): void;
  stop(): void;
}

/** Where a command writes: results on standard output, everything about the work on standard error. */
export class Output {
  readonly #columns = process.stdout.columns ?? 120;

  print(text = ''): void {
    process.stdout.write(`${text}\n`);
  }

  json(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  warn(text: string): void {
    this.note(this.#style('yellow', text, process.stderr));
  }

  error(text: string): void {
    this.note(this.#style('red', text, process.stderr));
  }

  good(text: string): string {
    return this.#style('green', text, process.stdout);
  }

  bad(text: string): string {
    return this.#style('red', text, process.stdout);
  }

  table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
    const widest = Math.max(12, Math.floor(this.#columns / 2));
    const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
    for (const row of rows) table.push(row.map((cell) => shorten(String(cell), widest)));
    this.print(table.toString());
  }

  /** A bar on a terminal, a line every ten per cent elsewhere. */
  progress(label: string): Progress {
    return process.stderr.isTTY ? bar(label) : lines(label, (text) => this.note(text));
  }

  #style(style: Style, text: string, stream: NodeJS.WriteStream): string {
    return stream.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text) : text;
  }
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

function lines(label: string, write: (text: string) => void): Progress {
  let tenths = 0;
  return {
    update(done, total, note) {
      const now = total === 0 ? 0 : Math.floor((done / total) * 10);
      if (now <= tenths) return;
      tenths = now;
      write(`${label} ${now * 10}% | ${note}`);
    },
    stop() {},
  };
}

function shorten(text: string, widest: number): string {
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}

import { createInterface, type Interface } from 'node:readline';
import type { Ask } from './command-context.js';

/**
 * Asks on the terminal of this process. Questions are written to standard error, so that standard output contains only results. All
 * questions share one reader, so that a pasted text of several lines can answer several questions.
 */
export function createTerminalAsk(): Ask {
  const lines: string[] = [];
  let reader: Interface | undefined;
  let [hasEnded, wake] = [false, () => {}];
  const open = () => {
    const opened = createInterface({ input: process.stdin, output: process.stderr });
    opened.on('line', (line) => {
      lines.push(line);
      wake();
    });
    const end = () => {
      hasEnded = true;
      opened.close();
      wake();
    };
    opened.once('SIGINT', end);
    opened.once('close', end);
    return opened;
  };
  return async (question, proposal) => {
    reader ??= open();
    if (lines.length === 0 && !hasEnded) {
      const answered = new Promise<void>((resolve) => {
        wake = resolve;
      });
      reader.setPrompt(`${question}${proposal === '' ? '' : ` [${proposal}]`} `);
      reader.prompt();
      await answered;
      // The reader is paused, because an active reader would keep the process running.
      if (!hasEnded) reader.pause();
    }
    const line = lines.shift();
    if (line === undefined) throw new Error('The input has ended before all questions were answered.');
    return line.trim() === '' ? proposal : line;
  };
}

import { runCommand } from '../../cli/run-command.js';
import type { CommandContext } from '../../cli/terminal/command-context.js';
import { Output } from '../../cli/terminal/output.js';
import type { Settings } from '../../server/settings/settings.js';
import type { Warehouse } from '../../server/warehouse.js';
import type { Outcome } from './command-line.js';

/** Runs one command line in this process, over a warehouse that is open, as a service does for its callers. */
export async function runHere(words: readonly string[], settings: Settings, warehouse: Warehouse): Promise<Outcome> {
  let [out, err] = ['', ''];
  const output = new Output({
    isTerminal: false,
    columns: 120,
    colour: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  const context: CommandContext = {
    output,
    settings,
    cwd: process.cwd(),
    signal: new AbortController().signal,
    warehouse: async () => warehouse,
    newWarehouse: async () => warehouse,
    run: runCommand,
    exitCode: 0,
  };
  try {
    return { code: await runCommand(words, context), out, err };
  } catch (error) {
    return { code: 2, out, err: `${err}${(error as Error).message}\n` };
  }
}

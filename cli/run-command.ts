import { CommanderError } from 'commander';
import { createProgram } from './program.js';
import type { CommandContext } from './terminal/command-context.js';

/** Runs one command line over a context and resolves to its exit code. If the command could not run, throws its error. */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync([...words], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

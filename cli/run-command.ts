import { CommanderError } from 'commander';
import type { CommandContext } from './command-context.js';
import { createProgram } from './program.js';

/** Runs one command line over a context and resolves to its exit code. Throws what a command could not do. */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync([...words], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

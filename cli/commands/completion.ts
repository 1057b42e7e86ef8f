import { Argument, type Command } from 'commander';
import { SHELLS, type Shell, shellScript } from '../completion/shell-scripts.js';
import type { CommandContext } from '../terminal/command-context.js';

/** Adds the commands for shell completion to a program: `repo-insight` or `endpoint`. */
export function addCompletionCommands(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print the script that completes commands, options and names in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => context.output.print(shellScript(shell, program.name())));
  program
    .command('complete', { hidden: true })
    .description('print how the last word can continue; used by the script of the completion')
    .argument('[words...]', 'the words after the name of the program')
    .action((words: readonly string[]) => complete(program, context, words));
}

async function complete(program: Command, context: CommandContext, words: readonly string[]): Promise<void> {
  const { completeWords } = await import('../completion/complete-words.js');
  const { createListNames } = await import('../completion/list-names.js');
  const { candidates, acceptsFiles } = await completeWords(program, words, createListNames(context.settings));
  for (const { value, description } of candidates) context.output.print(`${value}\t${description}`);
  if (acceptsFiles) context.output.print(':files');
}

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';

interface Options {
  readonly out?: string;
}

export function addClientCommand(program: Command, context: CommandContext): void {
  program
    .command('client')
    .description('write a typed TypeScript client for all definitions; needs no database')
    .option('--out <file>', 'write to a file')
    .action((options: Options) => write(context, options));
}

async function write({ output, settings, cwd }: CommandContext, { out }: Options): Promise<void> {
  const { writeClient } = await import('../../engine/http/description/client/write-client.js');
  const { loadDefinitions } = await import('../../server/settings/definitions.js');
  const text = writeClient(await loadDefinitions(settings));
  if (out === undefined) output.print(text.trimEnd());
  else await writeFile(resolve(cwd, out), text);
}

import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addShowCommand(parent: Command, context: CommandContext): void {
  parent
    .command('show')
    .description(
      'print a definition with its shared parameters, columns, notices and views written out; needs no database',
    )
    .argument('<name>', 'name or file of the endpoint')
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => show(context, name, options));
}

async function show(context: CommandContext, name: string, { json }: Options): Promise<void> {
  const { writeDefinitionText } = await import('../../../engine/authoring/index.js');
  const { readDefinitions } = await import('../../../server/settings/definitions.js');
  const { findDefinition } = await import('./named-definitions.js');
  const { output, settings } = context;
  const { endpoints, broken } = await readDefinitions(settings);
  const endpoint = await findDefinition(context, { endpoints, broken: () => broken }, name);
  if (json) output.json(endpoint.expanded);
  else output.print((await writeDefinitionText(endpoint.expanded)).trimEnd());
}

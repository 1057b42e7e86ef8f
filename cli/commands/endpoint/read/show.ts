import type { Command } from 'commander';
import type { CommandContext } from '../../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addShowCommand(parent: Command, context: CommandContext): void {
  parent
    .command('show')
    .description(
      'print a definition with its shared parameters, columns, notices and views written out; needs no database',
    )
    .argument('<name>', 'name of the endpoint')
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => show(context, name, options));
}

async function show({ output, settings }: CommandContext, name: string, { json }: Options): Promise<void> {
  const { formatDefinition } = await import('../../../../engine/index.js');
  const { readDefinitions } = await import('../../../../server/definitions.js');
  const { endpointNamed } = await import('../endpoint-named.js');
  const { endpoints, broken } = await readDefinitions(settings);
  const endpoint = endpointNamed({ endpoints, broken: () => broken }, name);
  if (json) output.json(endpoint.expanded);
  else output.print(formatDefinition(endpoint).trimEnd());
}

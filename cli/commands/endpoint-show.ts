import type { Command } from 'commander';
import { definitionText } from '../../engine/index.js';
import { readDefinitions } from '../../server/definitions.js';
import type { CommandContext } from '../command-context.js';
import { endpointNamed } from './endpoint-engine.js';

export function addShowCommand(parent: Command, { output, settings }: CommandContext): void {
  parent
    .command('show')
    .description(
      'print a definition with its shared parameters, columns, notices and views written out; needs no database',
    )
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { endpoints, broken } = await readDefinitions(settings);
      const endpoint = endpointNamed({ endpoints, broken: () => broken }, name);
      if (json) output.json(endpoint.written);
      else output.print(definitionText(endpoint).trimEnd());
    });
}

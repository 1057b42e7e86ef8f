import type { Command } from 'commander';
import { loadDefinitions } from '../../server/definitions.js';
import type { CommandContext } from '../command-context.js';

export function addListCommand(parent: Command, { output, settings }: CommandContext): void {
  parent
    .command('list')
    .description('list the endpoints')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const endpoints = (await loadDefinitions(settings)).map(({ definition, parameters, file }) => ({
        name: definition.name,
        path: definition.path ?? `/q/${definition.name}`,
        parameters: Object.keys(parameters),
        summary: definition.summary,
        file,
      }));
      if (json) output.json(endpoints);
      else
        output.table(
          ['name', 'path', 'summary'],
          endpoints.map(({ name, path, summary }) => [name, path, summary]),
        );
    });
}

import type { Command } from 'commander';
import { type BrokenEndpoint, type Endpoint, formatProblems } from '../../engine/index.js';
import { preparedFor, readDefinitions } from '../../server/definitions.js';
import { dialectOf } from '../../server/warehouse.js';
import type { CommandContext } from '../command-context.js';

export function addListCommand(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('list the endpoints, and those that are broken with their problems')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { output, settings } = context;
      const { endpoints, broken } = preparedFor(dialectOf(settings), await readDefinitions(settings));
      const rows = [...endpoints.map(right), ...broken.map(wrong)].sort((a, b) => (a.file < b.file ? -1 : 1));
      if (json) output.json(rows);
      else
        output.table(
          ['name', 'path', 'summary'],
          rows.map((row) => [
            row.name,
            row.path,
            'problems' in row ? `broken: ${row.problems.join('; ')}` : row.summary,
          ]),
        );
      if (broken.length > 0) context.exitCode = 1;
    });
}

function right({ definition, parameters, file }: Endpoint) {
  const { name, path = `/q/${name}`, summary } = definition;
  return { name, path, parameters: Object.keys(parameters), summary, file };
}

function wrong(broken: BrokenEndpoint) {
  const { name = '', path = name && `/q/${name}`, file } = broken;
  return { name, path, problems: formatProblems([broken]), file };
}

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatProblem, loadEndpoints } from '../../engine/index.js';
import { definitionsFolder, loadNamedFiles, preparedFor } from '../../server/definitions.js';
import { dialectOf } from '../../server/warehouse.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import type { CommandContext } from '../command-context.js';
import { plural } from '../numbers.js';

export function addCheckCommand(parent: Command, context: CommandContext): void {
  parent
    .command('check')
    .description(
      'find every problem of definitions, for the kind of database that DATABASE_URL names, without a database; of all when no file is named',
    )
    .argument('[files...]', 'definition files')
    .option('--json', 'as JSON')
    .action((files: string[], options: { json?: boolean }) => check(context, files, options.json === true));
}

async function check(context: CommandContext, files: readonly string[], json: boolean): Promise<void> {
  const { output, settings, cwd } = context;
  const loaded =
    files.length === 0
      ? await loadEndpoints(definitionsFolder(settings), PRIVATE_DATA)
      : await loadNamedFiles(
          settings,
          files.map((file) => resolve(cwd, file)),
        );
  const { endpoints, problems } = preparedFor(dialectOf(settings), loaded);
  if (json) output.json({ endpoints: endpoints.map(({ definition }) => definition.name), problems });
  else {
    for (const problem of problems) output.print(formatProblem(problem));
    output.note(`${endpoints.length} right, ${plural(problems.length, 'problem')}`);
  }
  context.exitCode = problems.length === 0 ? 0 : 1;
}

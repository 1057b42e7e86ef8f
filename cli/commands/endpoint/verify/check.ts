import type { Command } from 'commander';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';

interface Options {
  readonly json?: boolean;
}

export function addCheckCommand(parent: Command, context: CommandContext): void {
  parent
    .command('check')
    .description('report every problem of definitions, for the kind of database in DATABASE_URL; needs no database')
    .argument('[files...]', 'names or files of definitions; without them, all definitions')
    .option('--json', 'print JSON')
    .action((files: string[], options: Options) => check(context, files, options));
}

async function check(context: CommandContext, files: readonly string[], { json }: Options): Promise<void> {
  const { findCacheNotes, formatProblem } = await import('../../../../engine/index.js');
  const { createDefinitionLoader, loadNamedFiles, checkDialect } = await import('../../../../server/definitions.js');
  const { dialectOf } = await import('../../../../server/dialect.js');
  const { findFiles } = await import('../named-definitions.js');
  const { readVersionedTables } = await import('../../../../warehouse/schema/versioned-tables.js');
  const { output, settings } = context;
  const loaded =
    files.length === 0
      ? await createDefinitionLoader(settings).load()
      : await loadNamedFiles(settings, await findFiles(context, files));
  const { endpoints, problems } = checkDialect(dialectOf(settings), loaded);
  const versioned = new Set(await readVersionedTables());
  const notes = endpoints.flatMap((endpoint) => findCacheNotes(endpoint, (table) => versioned.has(table)));
  if (json) output.json({ endpoints: endpoints.map(({ definition }) => definition.name), problems, notes });
  else {
    for (const problem of problems) output.print(formatProblem(problem));
    for (const note of notes) output.warn(`note: ${formatProblem(note)}`);
    output.note(`${endpoints.length} valid, ${plural(problems.length, 'problem')}`);
  }
  context.exitCode = problems.length === 0 ? 0 : 1;
}

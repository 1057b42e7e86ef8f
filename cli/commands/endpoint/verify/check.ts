import type { Command } from 'commander';
import type { Endpoint, Problem } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';

interface Options {
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function addCheckCommand(parent: Command, context: CommandContext): void {
  parent
    .command('check')
    .description(
      'report every problem and warning of definitions, for the kind of database in DATABASE_URL; needs no database',
    )
    .argument('[files...]', 'names or files of definitions; without them, all definitions')
    .option('--strict', 'exit with 1 if there are warnings')
    .option('--json', 'print JSON')
    .action((files: string[], options: Options) => check(context, files, options));
}

async function check(context: CommandContext, files: readonly string[], { json, strict }: Options): Promise<void> {
  const { formatProblem } = await import('../../../../engine/index.js');
  const { createDefinitionLoader, loadNamedFiles, checkDialect } = await import('../../../../server/definitions.js');
  const { dialectOf } = await import('../../../../server/dialect.js');
  const { createLinter, printWarnings } = await import('./warnings.js');
  const { findFiles } = await import('../named-definitions.js');
  const { output, settings } = context;
  const loaded =
    files.length === 0
      ? await createDefinitionLoader(settings).load()
      : await loadNamedFiles(settings, await findFiles(context, files));
  const { endpoints, problems } = checkDialect(dialectOf(settings), loaded);
  const notes = await findNotes(endpoints);
  const findWarnings = await createLinter();
  const warnings = findWarnings(endpoints);
  if (json) output.json({ endpoints: endpoints.map(({ definition }) => definition.name), problems, warnings, notes });
  else {
    for (const problem of problems) output.print(formatProblem(problem));
    await printWarnings(output, warnings);
    for (const note of notes) output.warn(`note: ${formatProblem(note)}`);
    const counted = warnings.length === 0 ? '' : `, ${plural(warnings.length, 'warning')}`;
    output.note(`${endpoints.length} valid, ${plural(problems.length, 'problem')}${counted}`);
  }
  context.exitCode = problems.length === 0 && (!strict || warnings.length === 0) ? 0 : 1;
}

/** Finds tables that are probably misspelled, and what the author should know about the storage of answers. */
async function findNotes(endpoints: readonly Endpoint[]): Promise<Problem[]> {
  const { findCacheNotes, findTableNotes } = await import('../../../../engine/index.js');
  const { isOwnTableName } = await import('../../../../warehouse/own-tables/own-table-name.js');
  const { readVersionedTables } = await import('../../../../warehouse/schema/versioned-tables.js');
  const tables = await readVersionedTables();
  const isVersioned = (table: string) => tables.includes(table) || isOwnTableName(table);
  return endpoints.flatMap((endpoint) => [
    ...findTableNotes(endpoint, tables),
    ...findCacheNotes(endpoint, isVersioned),
  ]);
}

import type { Command } from 'commander';
import type { Endpoint, Problem } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import type { PageReport } from './check-pages.js';

interface Options {
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function addCheckCommand(parent: Command, context: CommandContext): void {
  parent
    .command('check')
    .description(
      'report every problem and warning of definitions and pages, for the kind of database in DATABASE_URL; needs no database',
    )
    .argument('[files...]', 'names or files of definitions, or files of pages; without them, all definitions and pages')
    .option('--strict', 'exit with 1 if there are warnings')
    .option('--json', 'print JSON')
    .action((files: string[], options: Options) => check(context, files, options));
}

async function check(context: CommandContext, files: readonly string[], { json, strict }: Options): Promise<void> {
  const { formatProblem } = await import('../../../../engine/index.js');
  const { createLinter, printWarnings } = await import('./warnings.js');
  const { output } = context;
  const { endpoints, pages, problems } = await load(context, files);
  const notes = await findNotes(context, endpoints);
  const findWarnings = await createLinter(context);
  const warnings = findWarnings(endpoints);
  const names = endpoints.map(({ definition }) => definition.name);
  if (json) output.json({ endpoints: names, pages, problems, warnings, notes });
  else {
    for (const problem of problems) output.print(formatProblem(problem));
    await printWarnings(output, warnings);
    for (const note of notes) output.warn(`note: ${formatProblem(note)}`);
    const valid = pages.length === 0 ? '' : `, ${plural(pages.length, 'valid page')}`;
    const counted = warnings.length === 0 ? '' : `, ${plural(warnings.length, 'warning')}`;
    output.note(`${endpoints.length} valid${valid}, ${plural(problems.length, 'problem')}${counted}`);
  }
  context.exitCode = problems.length === 0 && (!strict || warnings.length === 0) ? 0 : 1;
}

interface Loaded extends PageReport {
  readonly endpoints: readonly Endpoint[];
}

/** Loads the definitions and pages with these names, or all of them. Pages are checked against all definitions. */
async function load(context: CommandContext, names: readonly string[]): Promise<Loaded> {
  const { createDefinitionLoader, loadNamedFiles, checkDialect } = await import(
    '../../../../server/settings/definitions.js'
  );
  const { dialectOf } = await import('../../../../server/dialect.js');
  const { checkPages, separatePages } = await import('./check-pages.js');
  const { findFiles } = await import('../named-definitions.js');
  const { settings } = context;
  const dialect = dialectOf(settings);
  const loadAll = async () => checkDialect(dialect, await createDefinitionLoader(settings).load());
  if (names.length === 0) {
    const all = await loadAll();
    const { pages, problems } = await checkPages(context, all, undefined);
    return { endpoints: all.endpoints, pages, problems: [...all.problems, ...problems] };
  }
  const { pages: pageFiles, others } = await separatePages(context, names);
  const none = { endpoints: [], pages: [], problems: [] };
  const named =
    others.length === 0
      ? none
      : checkDialect(dialect, await loadNamedFiles(settings, await findFiles(context, others)));
  const { pages, problems } = pageFiles.length === 0 ? none : await checkPages(context, await loadAll(), pageFiles);
  return { endpoints: named.endpoints, pages, problems: [...named.problems, ...problems] };
}

/** Finds table names that are probably misspelled, and notes for the author about paths, caching and paging. */
async function findNotes({ settings }: CommandContext, endpoints: readonly Endpoint[]): Promise<Problem[]> {
  const { findCacheNotes, findCursorNotes, findRouteNotes, findTableNotes } = await import(
    '../../../../engine/index.js'
  );
  const { readVersioned } = await import('../known-tables.js');
  const { names, isVersioned } = await readVersioned(settings);
  const own = endpoints.flatMap((endpoint) => [
    ...findTableNotes(endpoint, names),
    ...findCacheNotes(endpoint, isVersioned),
    ...findCursorNotes(endpoint),
  ]);
  return [...own, ...findRouteNotes(endpoints)];
}

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ForeignFormat, ImportReport, TakenDefinition } from '../../../../engine/authoring/index.js';
import type { Database } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import { databaseOption } from '../options.js';

interface Options {
  readonly from?: ForeignFormat;
  readonly out: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addImportCommand(parent: Command, context: CommandContext): void {
  parent
    .command('import')
    .description('convert definitions of other tools to definition files; reads the types of columns from the database')
    .argument('<path>', 'folder or file to import')
    .addOption(new Option('--from <format>', 'format of the files').choices(['folders', 'data-service', 'sql']))
    .option('--out <folder>', 'folder for the definition files', 'imported')
    .option('--dry-run', 'write nothing')
    .option('--force', 'replace existing files')
    .addOption(databaseOption('--database-url', 'read the types of columns from this database'))
    .option('--json', 'print JSON')
    .action((path: string, options: Options) => importForeign(context, path, options));
}

async function importForeign(context: CommandContext, path: string, options: Options): Promise<void> {
  const { importDefinitions, writeFiles } = await import('../../../../engine/authoring/index.js');
  const { dialectOf } = await import('../../../../server/dialect.js');
  const { privateDataOf } = await import('../../../../server/settings/definitions.js');
  const { newPathPrefix } = await import('../../../../server/settings/definition-folders.js');
  const { NULL_TEXTS } = await import('../../../../warehouse/unknown-values.js');
  const { readVersioned } = await import('../known-tables.js');
  const { settings, cwd, signal } = context;
  const out = resolve(cwd, options.out);
  const { isVersioned } = await readVersioned(settings);
  const taken = await findTaken(context, out);
  const report = await withDatabase(context, options.databaseUrl, (database) =>
    importDefinitions({
      path: resolve(cwd, path),
      format: options.from,
      out,
      replacing: options.force === true,
      routePrefix: newPathPrefix(settings),
      taken,
      database,
      dialect: dialectOf(settings),
      isVersioned,
      nullTexts: NULL_TEXTS,
      privateData: privateDataOf(settings),
      signal,
    }),
  );
  const files = report.definitions.flatMap(({ file, text }) => (file && text ? [{ file, text }] : []));
  if (options.dryRun !== true) await writeFiles(files, options.force === true);
  await printReport(context, report, options);
  context.exitCode = report.definitions.some(({ status }) => status === 'rejected') ? 1 : 0;
}

/** Returns the existing definitions with which new files can conflict: those of the output folder and those of the service. */
async function findTaken({ settings }: CommandContext, out: string): Promise<TakenDefinition[]> {
  const { loadEndpoints } = await import('../../../../engine/index.js');
  const { createDefinitionLoader } = await import('../../../../server/settings/definitions.js');
  const { definitionFolders } = await import('../../../../server/settings/definition-folders.js');
  const isServed = definitionFolders(settings).some((folder) => resolve(folder) === out);
  const served = await createDefinitionLoader(settings).load();
  const loaded = isServed ? [served] : [served, await loadEndpoints(out)];
  return loaded.flatMap(({ endpoints, broken }) => [
    ...endpoints.map(({ definition, file }) => ({ name: definition.name, path: definition.path, file })),
    ...broken.map(({ name, path, file }) => ({ name, path, file })),
  ]);
}

/** Calls `use` with the database that determines the types, or with undefined if there is no database file. */
async function withDatabase<T>(
  { settings, warehouse, output }: CommandContext,
  databaseUrl: string | undefined,
  use: (database: Database | undefined) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined) {
    const { existsSync } = await import('node:fs');
    const { databaseFile } = await import('../../../../server/settings/database-location.js');
    const file = databaseFile(settings);
    if (file === undefined || existsSync(file)) return use((await warehouse()).database);
    output.warn(`There is no database ${file} yet: the types of columns come from the imported files only.`);
    return use(undefined);
  }
  const { openForReading } = await import('../../../../server/databases/open-database.js');
  const database = await openForReading({ ...settings, databaseUrl }, (notice) => output.warn(notice));
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

async function printReport(
  { output }: CommandContext,
  { format, definitions }: ImportReport,
  { json, dryRun }: Options,
): Promise<void> {
  const { formatProblem } = await import('../../../../engine/index.js');
  const count = (wanted: string) => definitions.filter(({ status }) => status === wanted).length;
  const counts = { imported: count('imported'), changed: count('changed'), rejected: count('rejected') };
  if (json) {
    const shown = definitions.map(({ text, ...others }) =>
      dryRun && text !== undefined ? { ...others, text } : others,
    );
    output.json({ format, ...counts, definitions: shown });
    return;
  }
  for (const { name, status, source, file, changes, problems } of definitions) {
    output.print(`${status} ${name}: ${file ?? `${source.file}:${source.line}`}`);
    for (const change of changes) output.print(`  ${formatProblem(change)}`);
    for (const problem of problems) output.print(`  ${formatProblem(problem)}`);
  }
  const files = dryRun ? 'no file written' : `${plural(counts.imported + counts.changed, 'file')} written`;
  output.note(`${counts.imported} imported, ${counts.changed} changed, ${counts.rejected} rejected, ${files}`);
}

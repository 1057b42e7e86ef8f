import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ComparedColumns } from '../../../../engine/authoring/index.js';
import type { ColumnDefinition, Database } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import { databaseOption } from '../options.js';

interface Options {
  readonly update?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addColumnsCommand(parent: Command, context: CommandContext): void {
  parent
    .command('columns')
    .description('compare the declared columns of a definition with those of the database')
    .argument('<name>', 'name or file of the endpoint')
    .option('--update', 'write type, scale, NULL and order of the database into the file')
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => columns(context, name, options));
}

async function columns(context: CommandContext, name: string, options: Options): Promise<void> {
  const { writeColumns } = await import('../../../../engine/authoring/index.js');
  const { findFiles } = await import('../named-definitions.js');
  const { withDatabase } = await import('../with-engine.js');
  const { requireOwnFile } = await import('../replace-file.js');
  const { replaceFile } = await import('../replace-file.js');
  const [file = ''] = await findFiles(context, [name]);
  if (options.update) requireOwnFile(context.settings, file);
  const text = await readFile(file, 'utf8');
  const compared = await withDatabase(context, options.databaseUrl, (database) =>
    compare(context, file, text, database),
  );
  const differing = compared.columns.filter(({ differences }) => differences.length > 0);
  const isUpdated = options.update === true && differing.length > 0;
  if (isUpdated) await replaceFile(file, await writeColumns(file, text, compared.wanted));
  print(context, compared, isUpdated, options.json === true);
  context.exitCode = differing.length > 0 && !isUpdated ? 1 : 0;
}

async function compare(
  { signal, settings }: CommandContext,
  file: string,
  text: string,
  database: Database,
): Promise<ComparedColumns> {
  const { formatProblem, readOutline } = await import('../../../../engine/index.js');
  const { compareColumns, readWithoutColumns, toKnownColumns } = await import('../../../../engine/authoring/index.js');
  const { readMeanings } = await import('./read-meanings.js');
  const { describeQuery } = await import('./describe-query.js');
  const { scopeOf } = await import('../../../../server/settings/definitions.js');
  const { read, declared } = await readWithoutColumns(file, text, scopeOf(settings));
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  const { endpoint } = read;
  // The first variant is enough, because all variants return the same columns.
  const sql = endpoint.query.texts[0]?.sql ?? '';
  const limits = { timeoutMs: endpoint.definition.limits.timeoutMs, signal };
  const tables = await readMeanings(settings, database, signal);
  const { query } = endpoint;
  const described = await describeQuery(database, sql, { read: query.tables, tables, limits, problem: query.problem });
  const { outputs } = readOutline(sql, toKnownColumns(tables));
  return compareColumns(declaredColumns(declared), described, outputs, tables);
}

/** Returns the declared columns that have a name. Missing values get defaults, because such a definition is broken in any case. */
function declaredColumns(declared: unknown): ColumnDefinition[] {
  const rows = Array.isArray(declared) ? (declared as readonly Partial<ColumnDefinition>[]) : [];
  return rows.flatMap((row) =>
    typeof row?.col === 'string'
      ? [{ data_type: 'VARCHAR', nullable: true, description: '', ...row, col: row.col }]
      : [],
  );
}

const WORDS: Readonly<Record<ComparedColumns['columns'][number]['differences'][number], string>> = {
  missing: 'not declared',
  unknown: 'not in the SELECT',
  order: 'order',
  type: 'type',
  scale: 'scale',
  nullable: 'NULL',
};

function print({ output }: CommandContext, { columns: all }: ComparedColumns, isUpdated: boolean, json: boolean): void {
  const differing = all.filter(({ differences }) => differences.length > 0).length;
  if (json) {
    output.json({ isUpdated, columns: all });
    return;
  }
  output.table(
    ['column', 'declared', 'database', 'differs'],
    all.map(({ col, declared = '', database = '', differences }) => [
      col,
      declared,
      database,
      differences.map((difference) => WORDS[difference]).join(', '),
    ]),
    { prose: ['differs'] },
  );
  output.note(`${plural(all.length, 'column')}, ${differing} differ${isUpdated ? '; the file is updated' : ''}`);
}

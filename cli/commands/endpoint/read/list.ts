import type { Command } from 'commander';
import type { BrokenEndpoint, Endpoint } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addListCommand(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('list all endpoints, and the problems of broken endpoints')
    .option('--json', 'print JSON')
    .action((options: Options) => list(context, options));
}

async function list(context: CommandContext, { json }: Options): Promise<void> {
  const { formatProblems } = await import('../../../../engine/index.js');
  const { checkDialect, readDefinitions } = await import('../../../../server/definitions.js');
  const { dialectOf } = await import('../../../../server/dialect.js');
  const { output, settings } = context;
  const { endpoints, broken } = checkDialect(dialectOf(settings), await readDefinitions(settings));
  const wrong = broken.map((one) => describeBroken(one, formatProblems([one])));
  const rows = [...endpoints.map(describe), ...wrong].sort((a, b) => (a.file < b.file ? -1 : 1));
  if (json) output.json(rows);
  else
    output.table(
      ['name', 'path', 'summary'],
      rows.map((row) => [row.name, row.path, 'problems' in row ? `broken: ${row.problems.join('; ')}` : textOf(row)]),
    );
  if (broken.length > 0) context.exitCode = 1;
}

function describe({ definition, parameters, file }: Endpoint) {
  const { name, path = `/q/${name}`, summary, deprecated, sunset } = definition;
  return { name, path, parameters: Object.keys(parameters), summary, file, deprecated, sunset };
}

function textOf({ summary, deprecated, sunset }: ReturnType<typeof describe>): string {
  if (deprecated === undefined) return summary;
  return `deprecated since ${deprecated}${sunset === undefined ? '' : `, ends ${sunset}`}: ${summary}`;
}

function describeBroken({ name = '', path = name && `/q/${name}`, file }: BrokenEndpoint, problems: readonly string[]) {
  return { name, path, problems, file };
}

import type { Command } from 'commander';
import type { ReloadReport } from '../../../../server/live/live-definitions.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { plural } from '../../../terminal/numbers.js';
import type { Output } from '../../../terminal/output.js';

interface Options {
  readonly json?: boolean;
}

export function addReloadCommand(parent: Command, context: CommandContext): void {
  parent
    .command('reload')
    .description('let the running service read all definitions again and serve them from one moment to the next')
    .option('--json', 'print JSON')
    .action((options: Options) => reload(context, options));
}

async function reload(context: CommandContext, { json = false }: Options): Promise<void> {
  const { service, output, settings } = context;
  if (service !== undefined) {
    const report = await service.definitions.reload();
    if (json) output.json(report);
    else await printReport(output, report);
    context.exitCode = report.problems.length === 0 ? 0 : 1;
    return;
  }
  const codes = await context.askServices(['endpoint', 'reload', ...(json ? ['--json'] : [])]);
  if (codes.length === 0) {
    const { databasePlace } = await import('../../../../server/settings/database-location.js');
    throw new Error(`No service is running on ${databasePlace(settings)}. Start one with \`repo-insight serve\`.`);
  }
  context.exitCode = codes.includes(2) ? 2 : codes.includes(1) ? 1 : 0;
}

async function printReport(output: Output, report: ReloadReport): Promise<void> {
  const { formatProblem } = await import('../../../../engine/index.js');
  const { added, changed, removed, outdated, problems, endpoints, ms } = report;
  const changes = { added, changed, removed };
  for (const [word, names] of Object.entries(changes)) for (const name of names) output.print(`${word} ${name}`);
  for (const problem of problems) output.print(formatProblem(problem));
  for (const name of outdated) output.warn(`${name}: the last good version is served`);
  output.note(`${plural(endpoints, 'endpoint')}, ${plural(problems.length, 'problem')}, ${ms} ms`);
}

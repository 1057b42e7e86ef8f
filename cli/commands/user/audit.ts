import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { wholeNumber } from '../../terminal/numbers.js';

interface Options {
  readonly limit: number;
  readonly json?: boolean;
}

export function addAuditCommand(parent: Command, context: CommandContext): void {
  parent
    .command('audit')
    .description('show the audit log, newest first')
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 10_000), 100)
    .option('--json', 'print JSON')
    .action((options: Options) => printAudit(context, options));
}

async function printAudit({ warehouse, output }: CommandContext, { limit, json }: Options): Promise<void> {
  const { readNewestAuditEntries } = await import('../../../accounts/audit-log.js');
  const changes = await readNewestAuditEntries((await warehouse()).database, limit);
  if (json) output.json(changes);
  else
    output.table(
      ['at', 'who', 'what', 'of', 'detail'],
      changes.map(({ at, actor, action, subject, detail }) => [at, actor, action, subject, detail]),
      { optional: ['of'], prose: ['detail'] },
    );
}

import type { Command } from 'commander';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import type { CommandContext } from '../command-context.js';
import { wholeNumber } from '../numbers.js';

export function addAuditCommand(parent: Command, { warehouse, output }: CommandContext): void {
  parent
    .command('audit')
    .description('show who changed what, the newest first')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 10_000), 100)
    .option('--json', 'as JSON')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const changes = await readNewestAuditEntries((await warehouse()).database, limit);
      if (json) output.json(changes);
      else
        output.table(
          ['at', 'who', 'what', 'of', 'detail'],
          changes.map(({ at, actor, action, subject, detail }) => [at, actor, action, subject, detail]),
        );
    });
}

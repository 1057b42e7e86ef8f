import type { Command } from 'commander';
import { type Coverage, coverage } from '../../warehouse/coverage.js';
import type { CommandContext } from '../command-context.js';
import { count, plural } from '../numbers.js';
import type { Output } from '../output.js';

export function addStatusCommand(parent: Command, { warehouse, output }: CommandContext): void {
  parent
    .command('status')
    .description('show what the data cover, by event type and day, and where the feed has gaps')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const covered = await coverage(await warehouse());
      if (json) output.json(covered);
      else show(output, covered);
    });
}

function show(output: Output, { events, files, repositories, users, newestEventAt, types, gaps }: Coverage): void {
  const facts = [
    [events, 'event'],
    [files, 'file'],
    [repositories, 'repository'],
    [users, 'user'],
  ] as const;
  output.print(facts.map(([number, noun]) => plural(number, noun)).join(', '));
  output.print(newestEventAt === null ? 'There are no events.' : `The newest event is of ${newestEventAt} UTC.`);
  if (types.length > 0) {
    output.table(
      ['event type', 'events', 'first day', 'last day', 'days with events'],
      types.map(({ type, events: number, firstDay, lastDay, days }) => [type, count(number), firstDay, lastDay, days]),
    );
  }
  for (const { type, firstDay, lastDay } of gaps) output.warn(`no ${type} from ${firstDay} to ${lastDay}`);
}

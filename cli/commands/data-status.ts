import type { Command } from 'commander';
import {
  type Coverage,
  type DayCoverage,
  type FeedGap,
  readCoverage,
  readCoverageByDay,
} from '../../warehouse/coverage.js';
import type { CommandContext } from '../command-context.js';
import { count, plural, wholeNumber } from '../numbers.js';
import type { Output } from '../output.js';

export function addStatusCommand(parent: Command, { warehouse, output }: CommandContext): void {
  parent
    .command('status')
    .description('show what the data cover, by event type and day, and where the feed has gaps')
    .option('--days <number>', 'the events of each day, for so many days up to the newest', wholeNumber(1, 99_999))
    .option('--json', 'as JSON')
    .action(async ({ days, json }: { days?: number; json?: boolean }) => {
      const { database } = await warehouse();
      const covered = await readCoverage(database);
      const byDay = days === undefined ? [] : await readCoverageByDay(database, days);
      if (json) {
        output.json(days === undefined ? covered : { ...covered, byDay });
        return;
      }
      show(output, covered);
      if (days !== undefined) showDays(output, byDay);
    });
}

/** A row a day, a column for each type that has an event in those days. */
function showDays(output: Output, byDay: readonly DayCoverage[]): void {
  const types = [...new Set(byDay.map(({ type }) => type))].sort();
  const days = [...new Set(byDay.map(({ day }) => day))];
  const events = new Map(byDay.map((cell) => [`${cell.day} ${cell.type}`, cell.events]));
  output.table(
    ['day', ...types.map((type) => type.replace(/Event$/, ''))],
    days.map((day) => [day, ...types.map((type) => count(events.get(`${day} ${type}`) ?? 0))]),
  );
}

/** A line for each gap, which may be one of several types. */
function showGaps(output: Output, gaps: readonly FeedGap[]): void {
  const periods = new Map<string, FeedGap[]>();
  for (const gap of gaps) periods.set(gap.period, [...(periods.get(gap.period) ?? []), gap]);
  const all = [...periods];
  for (const [period, same] of all.slice(0, SHOWN_GAPS)) {
    output.warn(`no ${same.map(({ type }) => type).join(', ')} ${period}`);
  }
  const [lastPeriod] = all.at(-1) ?? [];
  const more = all.length - SHOWN_GAPS;
  if (more > 0) output.warn(`and ${plural(more, 'more gap')}, the last ${lastPeriod}; --json lists all`);
}

const SHOWN_GAPS = 20;

function show(output: Output, covered: Coverage): void {
  const { events, files, repositories, users, provisional, newestEventAt, types, gaps } = covered;
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
  showGaps(output, gaps);
  if (provisional.repositories > 0) {
    output.warn(
      `${plural(provisional.repositories, 'repository')} (${plural(provisional.events, 'event')}) known by name alone: no imported ` +
        'event has the id for it',
    );
  }
}

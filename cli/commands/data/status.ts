import type { Command } from 'commander';
import type { TrackingStatus } from '../../../github/tracking/tracking-progress.js';
import { clockOf } from '../../../server/clock.js';
import type { Coverage, DayCoverage, FeedGap, PartialMonth } from '../../../warehouse/coverage.js';
import type { FollowProgress } from '../../../warehouse/import/follow/follow-progress.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { count, plural, wholeNumber } from '../../terminal/numbers.js';
import type { Output } from '../../terminal/output.js';
import { formatCoverage } from './follow-coverage.js';

interface Options {
  readonly days?: number;
  readonly json?: boolean;
}

export function addStatusCommand(parent: Command, context: CommandContext): void {
  parent
    .command('status')
    .description(
      'show the coverage of the data by event type and day, the gaps of the feed, and months that have only a part of the events',
    )
    .option('--days <number>', 'also show the events of each day, for the newest days', wholeNumber(1, 99_999))
    .option('--json', 'print JSON')
    .action((options: Options) => printStatus(context, options));
}

async function printStatus(
  { warehouse, output, settings, service }: CommandContext,
  { days, json }: Options,
): Promise<void> {
  const { readCoverage, readCoverageByDay, readRows } = await import('../../../warehouse/coverage.js');
  const { coverageOf } = await import('../../../warehouse/import/follow/follow-progress.js');
  const { readFollowed } = await import('../../../warehouse/import/follow/followed-hours.js');
  const { listTracked } = await import('../../../github/tracking/tracked-repositories.js');
  const { trackingStatus } = await import('../../../github/tracking/tracking-status.js');
  const { database } = await warehouse();
  const covered = await readCoverage(database);
  const hours = await readFollowed(database);
  const now = clockOf(settings)();
  const followed = hours && coverageOf(hours.from, hours.imported, now);
  const follow = service?.follower?.progress() ?? followed ?? null;
  const tracked = trackingStatus(await listTracked({ rows: (sql) => readRows(database, sql) }), now);
  const byDay = days === undefined ? [] : await readCoverageByDay(database, days);
  if (json) {
    output.json({ ...covered, follow, tracked, ...(days !== undefined && { byDay }) });
    return;
  }
  printCoverage(output, covered);
  if (followed !== undefined) output.print(formatCoverage(followed));
  if (service?.follower !== undefined) printFollower(output, service.follower.progress());
  if (tracked.repositories > 0) printTracked(output, tracked);
  if (days !== undefined) printDays(output, byDay);
}

function printTracked(output: Output, { repositories, sources }: TrackingStatus): void {
  output.print(`${plural(repositories, 'tracked repository')}:`);
  output.table(
    ['source', 'complete', 'due', 'failing', 'oldest success'],
    sources.map(({ source, complete, due, failing, oldest }) => [
      source,
      count(complete),
      count(due),
      count(failing),
      oldest ?? 'never',
    ]),
  );
}

/** Prints the state of the service's follower. */
function printFollower(output: Output, { state, nextAttemptAt, lastError }: FollowProgress): void {
  output.print(
    `The service follows it: ${state}${nextAttemptAt === null ? '' : `, next attempt at ${nextAttemptAt}`}.`,
  );
  if (lastError !== null) output.warn(lastError);
}

/** Prints one row per day, with one column for each type that has events in these days, the most frequent type first. */
function printDays(output: Output, byDay: readonly DayCoverage[]): void {
  const sums = new Map<string, number>();
  for (const { type, events: number } of byDay) sums.set(type, (sums.get(type) ?? 0) + number);
  const types = [...sums].sort(([, a], [, b]) => b - a).map(([type]) => type);
  const days = [...new Set(byDay.map(({ day }) => day))];
  const events = new Map(byDay.map((cell) => [`${cell.day} ${cell.type}`, cell.events]));
  output.table(
    ['day', ...types.map((type) => type.replace(/Event$/, ''))],
    days.map((day) => [day, ...types.map((type) => count(events.get(`${day} ${type}`) ?? 0))]),
  );
}

/** Prints one line per gap. Event types with the same gap are printed on one line. */
function printGaps(output: Output, gaps: readonly FeedGap[]): void {
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

/** Prints one line for the event types that have the same partial months. */
function printPartialMonths(output: Output, partialMonths: readonly PartialMonth[]): void {
  const months = new Map<string, string[]>();
  for (const { type, month, share } of partialMonths) {
    const text =
      share === null
        ? month
        : `${month} (${share < 0.001 ? 'less than 0.1' : `about ${Math.floor(1000 * share) / 10}`} %)`;
    months.set(type, [...(months.get(type) ?? []), text]);
  }
  const types = new Map<string, string[]>();
  for (const [type, all] of months) {
    const more = all.length - SHOWN_MONTHS;
    const text = `${all.slice(-SHOWN_MONTHS).join(', ')}${more > 0 ? `, and ${plural(more, 'earlier month')}` : ''}`;
    types.set(text, [...(types.get(text) ?? []), type]);
  }
  for (const [text, same] of types) output.warn(`only a part of ${same.join(', ')} in ${text}`);
}

const SHOWN_MONTHS = 6;

function printCoverage(output: Output, covered: Coverage): void {
  const {
    events,
    files,
    feedEvents,
    archives,
    repositories,
    users,
    provisional,
    newestEventAt,
    types,
    gaps,
    partialMonths,
  } = covered;
  const facts = [
    [events, 'event'],
    [files, 'file'],
    [repositories, 'repository'],
    [users, 'user'],
  ] as const;
  output.print(facts.map(([number, noun]) => plural(number, noun)).join(', '));
  if (feedEvents > 0) output.print(`${plural(feedEvents, 'further event')} of feeds of tracked repositories`);
  output.print(newestEventAt === null ? 'There are no events.' : `The newest event is from ${newestEventAt} UTC.`);
  if (types.length > 0) {
    output.table(
      ['event type', 'events', 'first day', 'last day', 'days'],
      types.map(({ type, events: number, firstDay, lastDay, days }) => [type, count(number), firstDay, lastDay, days]),
    );
  }
  printGaps(output, gaps);
  printPartialMonths(output, partialMonths);
  if (archives.length > 1) {
    output.table(
      ['archive', 'files', 'events', 'new events'],
      archives.map(({ archive, files: its, events: all, added }) => [archive, count(its), count(all), count(added)]),
    );
  }
  for (const [noun, { count: number, events: own }] of [
    ['repository', provisional.repositories],
    ['account', provisional.accounts],
  ] as const) {
    if (number === 0) continue;
    output.warn(`${plural(number, noun)} (${plural(own, 'event')}) known only by name: the import found no id`);
  }
}

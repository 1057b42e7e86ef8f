import { type Command, InvalidArgumentError } from 'commander';
import { clockOf } from '../../../server/clock.js';
import { archivesOf, parseArchiveHour } from '../../../warehouse/import/files/archive-hours.js';
import type { FollowSummary } from '../../../warehouse/import/follow/follow-options.js';
import type { ArchiveEvent } from '../../../warehouse/import/follow/followers.js';
import type { ImportProgress } from '../../../warehouse/import/import-options.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { count, plural } from '../../terminal/numbers.js';
import type { Output } from '../../terminal/output.js';
import type { Progress } from '../../terminal/progress.js';
import { formatCoverage } from './follow-coverage.js';
import type { importProgress } from './import-report.js';

interface Options {
  readonly from?: number;
  readonly once?: boolean;
  readonly json?: boolean;
}

export function addFollowCommand(parent: Command, context: CommandContext): void {
  parent
    .command('follow')
    .description('import each hour of the archive when it is published, until Ctrl-C, and the hours that are missing')
    .option('--from <hour>', 'first hour, such as 2026-01-31-0; it is stored for later runs', archiveHour)
    .option('--once', 'end when every missing hour was requested once')
    .option('--json', 'print the summary as JSON')
    .action((options: Options) => follow(context, options));
}

async function follow(context: CommandContext, { from, once = false, json = false }: Options): Promise<void> {
  const { importFolders, requireStore } = await import('../../../server/databases/warehouse.js');
  const { createFollowers } = await import('../../../warehouse/import/follow/followers.js');
  const { importProgress: showImport } = await import('./import-report.js');
  const { output, settings, signal, service } = context;
  if (service?.follower !== undefined) throw new Error(ALREADY);
  if (!once) context.elsewhere.isEndless = true;
  const store = requireStore(await context.newWarehouse());
  const bars = createBars(output, showImport);
  const followers = createFollowers({
    store,
    importing: {
      ...importFolders(settings),
      archiveUrl: settings.archiveUrl,
      // In a log, there is only one line per hour, and no progress bar.
      ...(output.isTerminal && { onProgress: bars.show }),
    },
    clock: clockOf(settings),
    once,
    ...(from !== undefined && { from }),
    onEvent: (event) => {
      bars.stop();
      printEvent(output, event);
    },
  });
  if (!once) output.note(`Following ${settings.archiveUrl}. Stop with Ctrl-C.`);
  const summaries = await Promise.all(followers.map((follower) => follower.run(signal))).finally(() => bars.stop());
  const [only] = summaries as [FollowSummary];
  const summary =
    summaries.length === 1
      ? only
      : joinSummaries(await followers[0].summary(), summaries, archivesOf(settings.archiveUrl));
  if (json) output.json(summary);
  else printSummary(output, summary);
  context.exitCode = summary.gaps.length > 0 || summary.failed.length > 0 ? 1 : 0;
}

/**
 * Combines the summaries of all archives: the progress of the first archive, the sums of all archives, and the failed hours of each
 * archive.
 */
function joinSummaries(
  first: FollowSummary,
  summaries: readonly FollowSummary[],
  archives: readonly string[],
): FollowSummary {
  const sum = (numberOf: (one: FollowSummary) => number) => summaries.reduce((total, one) => total + numberOf(one), 0);
  return {
    ...first,
    importedHours: sum(({ importedHours }) => importedHours),
    events: sum(({ events }) => events),
    failed: summaries.flatMap(({ failed }, index) =>
      failed.map(({ hour, message }) => ({ hour, message: `${archives[index]}: ${message}` })),
    ),
  };
}

const ALREADY =
  'The service already follows the archive (FOLLOW_ARCHIVE); `data status` and /healthy/ show its progress.';

function archiveHour(text: string): number {
  const hour = parseArchiveHour(text);
  if (hour !== undefined) return hour;
  throw new InvalidArgumentError('Expected an hour such as 2026-01-31-5, or a day such as 2026-01-31, in UTC.');
}

/** Shows a progress bar for each import. A bar is ended before another line is printed. */
function createBars(output: Output, showImport: typeof importProgress) {
  let bar: Progress | undefined;
  let show: ReturnType<typeof importProgress> | undefined;
  return {
    show: (state: ImportProgress) => {
      bar ??= output.progress('Importing');
      show ??= showImport(bar);
      show(state);
    },
    stop: () => {
      bar?.stop();
      [bar, show] = [undefined, undefined];
    },
  };
}

function printEvent(output: Output, event: ArchiveEvent): void {
  const place = event.archive === undefined ? '' : ` (${event.archive})`;
  if (event.kind === 'imported') output.note(`${event.hour}: ${plural(event.events, 'new event')}${place}`);
  else if (event.kind === 'gap') output.warn(`${event.hour}: the archive does not have this hour, but later ones`);
  else if (event.kind === 'failed') output.error(`${event.hour}: ${event.message}${place}`);
  else if (event.kind === 'standby') output.note(`Waiting: ${event.message}`);
  else output.error(`${event.message}${place}`);
}

function printSummary(output: Output, summary: FollowSummary): void {
  const { importedHours, events, gaps, failed } = summary;
  output.print(`${plural(importedHours, 'hour')} imported, with ${plural(events, 'new event')}.`);
  const { from, lagMs, missingHours } = summary;
  if (from !== null && lagMs !== null && missingHours !== null)
    output.print(formatCoverage({ ...summary, from, lagMs, missingHours }));
  if (gaps.length > 0) output.warn(`${plural(gaps.length, 'hour')} not in the archive: ${listed(gaps)}`);
  for (const { hour, message } of failed) output.error(`${hour}: ${message}`);
}

function listed(hours: readonly string[]): string {
  const more = hours.length - SHOWN_HOURS;
  return `${hours.slice(0, SHOWN_HOURS).join(', ')}${more > 0 ? ` and ${count(more)} more; --json lists all` : ''}`;
}

const SHOWN_HOURS = 10;

import type { HourCoverage } from '../../../warehouse/import/follow/follow-progress.js';
import { count, plural } from '../../terminal/numbers.js';

/** Describes in one line which hours of the archive were imported since following began, and how many are missing. */
export function formatCoverage({ from, newestHour, lagMs, missingHours }: HourCoverage): string {
  const newest =
    newestHour === null
      ? 'no hour is imported yet'
      : `the newest imported hour is ${newestHour}, which ended ${formatLag(lagMs)} ago`;
  return `The archive is followed from ${from}: ${newest}; ${plural(missingHours, 'hour')} missing.`;
}

function formatLag(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return plural(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : `${count(Math.floor(hours / 24))} days`;
}

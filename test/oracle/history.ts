import type { Deed, Row } from './creators.js';
import { dayOf, daysAfter, monday, monthStart } from './times.js';

export type Interval = 'day' | 'week' | 'month';

/**
 * The running total of people by the bucket of their first deed, from the first bucket up to that of the last day shown:
 * `to`, or the day of the newest event in the data if that is earlier. A bucket that overlaps the range is shown.
 */
export function history(deeds: readonly Deed[], per: Interval, from: string, to: string, newest: string): Row[] {
  const firsts = new Map<bigint, string>();
  for (const { user, at } of deeds) {
    const before = firsts.get(user);
    if (before === undefined || at < before) firsts.set(user, at);
  }
  const buckets = [...firsts.values()].map((at) => bucketOf(dayOf(at), per)).sort();
  const last = to < dayOf(newest) ? to : dayOf(newest);
  const rows: Row[] = [];
  for (let bucket = buckets[0] ?? '9999'; bucket <= last; bucket = bucketAfter(bucket, per)) {
    const end = daysAfter(bucketAfter(bucket, per), -1);
    if (end >= from) rows.push([bucket, String(buckets.filter((first) => first <= bucket).length)]);
  }
  return rows;
}

function bucketOf(day: string, per: Interval): string {
  if (per === 'day') return day;
  return per === 'week' ? monday(day) : monthStart(day);
}

function bucketAfter(bucket: string, per: Interval): string {
  if (per === 'month') return monthStart(bucket, 1);
  return daysAfter(bucket, per === 'day' ? 1 : 7);
}

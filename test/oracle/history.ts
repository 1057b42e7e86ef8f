import type { Participation, Row } from './creators.js';
import { dayOf, daysAfter, mondayOf, monthStart } from './times.js';

export type Interval = 'day' | 'week' | 'month';

/**
 * The cumulative number of people for each day, week or month. A person counts from the first participation. The
 * history ends at `to` or at the newest event, whichever is earlier. It contains the periods that overlap the range,
 * but its totals also include earlier people.
 */
export function computeHistory(
  participations: readonly Participation[],
  per: Interval,
  from: string,
  to: string,
  newest: string,
): Row[] {
  const firsts = new Map<bigint, string>();
  for (const { user, at } of participations) {
    const before = firsts.get(user);
    if (before === undefined || at < before) firsts.set(user, at);
  }
  const buckets = [...firsts.values()].map((at) => bucketOf(dayOf(at), per)).sort();
  const lastDay = to < dayOf(newest) ? to : dayOf(newest);
  const rows: Row[] = [];
  for (let bucket = buckets[0] ?? '9999'; bucket <= lastDay; bucket = nextBucket(bucket, per)) {
    const end = daysAfter(nextBucket(bucket, per), -1);
    if (end >= from) rows.push([bucket, String(buckets.filter((first) => first <= bucket).length)]);
  }
  return rows;
}

function bucketOf(day: string, per: Interval): string {
  if (per === 'day') return day;
  return per === 'week' ? mondayOf(day) : monthStart(day);
}

function nextBucket(bucket: string, per: Interval): string {
  if (per === 'month') return monthStart(bucket, 1);
  return daysAfter(bucket, per === 'day' ? 1 : 7);
}

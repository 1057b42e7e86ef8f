import type { Row } from './creators.js';
import { daysAfter, mondayOf, monthStart } from './times.js';

export type Interval = 'day' | 'week' | 'month';

/**
 * Computes the cumulative number of people or stars for each day, week or month. `days` contains the first day of each person or star. The
 * history ends at the earlier of `to` and `end`. It contains the periods that overlap the range; the totals also include earlier days.
 */
export function computeHistory(days: readonly string[], per: Interval, from: string, to: string, end: string): Row[] {
  const buckets = days.map((day) => bucketOf(day, per)).sort();
  const lastDay = to < end ? to : end;
  const rows: Row[] = [];
  for (let bucket = buckets[0] ?? '9999'; bucket <= lastDay; bucket = nextBucket(bucket, per)) {
    const last = daysAfter(nextBucket(bucket, per), -1);
    if (last >= from) rows.push([bucket, String(buckets.filter((first) => first <= bucket).length)]);
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

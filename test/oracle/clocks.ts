import { DAY_MS, dayOf, daysAfter, millisOf, monthStart, monthsBefore, timeOf } from './times.js';

/**
 * Returns the current time of a world. `sketched` is an index into `CLOCKS`, a list of times at which errors are likely. A larger number
 * means seconds since 2015-01-01.
 */
export function selectClock(sketched: number): string {
  return CLOCKS[sketched] ?? timeOf(millisOf('2015-01-01') + sketched * 1000);
}

/** Returns times near which errors are likely: `now`, and the starts and ends of the periods that operations use. */
export function listMoments(now: string): string[] {
  const today = dayOf(now);
  const starts = [today, daysAfter(today, 1), daysAfter(today, -27), daysAfter(today, -55)];
  const months = [0, -1, -2].map((back) => monthStart(today, back));
  const year = Number(now.slice(0, 4));
  const others = [`${year}-01-01`, `${year - (year % 4)}-02-29`, `${year - (year % 4)}-03-01`, `${year - 3}-06-15`];
  const ago = [...[1, 7, 30, 90].map((days) => timeOf(millisOf(now) - days * DAY_MS)), monthsBefore(now, 3)];
  return [now, ...[...starts, ...months].map(midnight), ...ago, ...others.map(midnight)];
}

const CLOCKS = [
  '2024-05-17 12:34:56',
  '2024-02-29 00:00:00',
  '2024-02-29 23:59:59',
  '2024-03-01 00:00:00',
  '2024-03-31 23:59:59',
  '2023-12-31 23:59:59',
  '2025-01-01 00:00:00',
  '2025-03-30 01:30:00',
  '2023-02-28 23:59:59',
  '2025-10-08 00:00:01',
  '2026-01-31 12:00:00',
  '2022-10-31 00:00:00',
];

function midnight(day: string): string {
  return `${day} 00:00:00`;
}

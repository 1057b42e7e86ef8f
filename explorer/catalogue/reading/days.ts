import type { DayRange, Duration, TimeUnit } from './slot.js';

const DAY_MS = 86_400_000;

export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return dayOf(new Date(Date.parse(day) + count * DAY_MS));
}

/**
 * Returns the days of a month, or of `months` months. Months are counted from 1; larger or smaller numbers are months of later or earlier
 * years.
 */
export function monthRange(year: number, month: number, months = 1): Required<DayRange> {
  return {
    from: dayOf(new Date(Date.UTC(year, month - 1, 1))),
    to: dayOf(new Date(Date.UTC(year, month - 1 + months, 0))),
  };
}

export function yearRange(year: number): Required<DayRange> {
  return monthRange(year, 1, 12);
}

/** Returns the calendar unit (a week starts on Monday) that contains a day, shifted by a number of units. */
export function calendarRange(today: string, unit: TimeUnit, offset: number): Required<DayRange> {
  const [year = 0, month = 0] = today.split('-').map(Number);
  switch (unit) {
    case 'year':
      return yearRange(year + offset);
    case 'quarter':
      return monthRange(year, Math.floor((month - 1) / 3) * 3 + 1 + offset * 3, 3);
    case 'month':
      return monthRange(year, month + offset);
    case 'week': {
      const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7) + offset * 7);
      return { from: monday, to: addDays(monday, 6) };
    }
    default: {
      const day = addDays(today, offset);
      return { from: day, to: day };
    }
  }
}

/** Returns the day that is a duration before `today`. If the resulting month is too short, it is the last day of that month. */
export function dayBefore(today: string, { count, unit }: Duration): string {
  const months = { year: 12, quarter: 3, month: 1 }[unit as string];
  if (months === undefined) return addDays(today, -Math.ceil(count * (DAYS[unit] ?? 1)));
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const { from, to } = monthRange(year, month - count * months);
  return addDays(from, Math.min(day, Number(to.slice(8))) - 1);
}

/** The number of days of units with a fixed length. */
export const DAYS: Readonly<Partial<Record<TimeUnit, number>>> = { hour: 1 / 24, day: 1, week: 7 };

/** Whether a text is an existing day as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(new Date(text)) === text;
}

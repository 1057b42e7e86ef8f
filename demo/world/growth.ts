import { type Random, WeightedChoice } from './random.js';

export const DAY_SECONDS = 86_400;

/** How the attention for a repository changes during the demo. */
export interface Curve {
  readonly shape: 'steady' | 'growing' | 'declining' | 'seasonal' | 'viral' | 'launch';
  /** The day of the spike or the launch. Day 0 is the first day of the demo. */
  readonly day: number;
}

/** Returns the attention on a day relative to the normal value, 1. `days` is the length of the demo. */
export function computeAttention(curve: Curve, day: number, days: number): number {
  const past = day / days;
  const since = day - curve.day;
  switch (curve.shape) {
    case 'steady':
      return 1;
    case 'growing':
      return 0.35 * 6 ** past;
    case 'declining':
      return 1.8 * 0.25 ** past;
    case 'seasonal':
      return 1 + 0.6 * Math.sin((2 * Math.PI * day) / 182);
    case 'viral':
      return since < 0 ? 0.5 : 0.8 + 12 * Math.exp(-since / 6);
    case 'launch':
      return since < 0 ? 0 : 0.9 + 5 * Math.exp(-since / 12);
  }
}

/** Returns the relative number of events on a day: growth over time, quiet weekends, a dip at the end of the year. */
export function computeActivity(day: number, days: number, startSeconds: number): number {
  const date = new Date((startSeconds + day * DAY_SECONDS) * 1000);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  const isEndOfYear = date.getUTCMonth() === 11 && date.getUTCDate() >= 23;
  return (1 + (0.7 * day) / days) * (isWeekend ? 0.6 : 1) * (isEndOfYear ? 0.65 : 1);
}

// The share of each hour of a UTC day. Activity rises in the morning in Asia and is highest while people in Europe and
// America both work.
const HOUR_SHARES = [
  31, 33, 36, 36, 35, 36, 38, 43, 48, 50, 49, 46, 49, 55, 59, 60, 58, 54, 49, 46, 44, 40, 35, 32,
] as const;

/** Selects a time of day, in seconds, by the daily rhythm. All selected times are before `length`, in seconds. */
export class DayClock {
  readonly length: number;
  /** The share of a full day's activity that is before `length`. */
  readonly share: number;
  readonly #hours: WeightedChoice;

  constructor(length: number) {
    const before = HOUR_SHARES.map((share, hour) => share * Math.min(1, Math.max(0, length / 3600 - hour)));
    this.length = length;
    this.share = sum(before) / sum(HOUR_SHARES);
    this.#hours = new WeightedChoice(before);
  }

  draw(random: Random): number {
    const hour = this.#hours.draw(random);
    return hour * 3600 + random.below(Math.min(3600, this.length - hour * 3600));
  }
}

/** Returns the cumulative number of events at the end of each day. The last value is `events`. */
export function computeDailyGoals(events: number, startSeconds: number, clocks: readonly DayClock[]): number[] {
  const weights = clocks.map((clock, day) => computeActivity(day, clocks.length, startSeconds) * clock.share);
  const total = sum(weights);
  let cumulative = 0;
  return weights.map((weight) => {
    cumulative += weight;
    return Math.round((events * cumulative) / total);
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

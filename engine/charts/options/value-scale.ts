import { isCompact, type Look, PALETTES } from '../look.js';
import { shortNumberText } from '../number-text.js';
import type { ChartField } from '../result-column.js';
import type { ChartOption } from './drawing.js';

/** Returns the option of a scale of colours below a chart, for at most five intervals of its values. */
export function scaleOption(values: readonly number[], { format }: ChartField, look: Look): ChartOption {
  const palette = PALETTES[look.theme];
  const intervals = valueIntervals(values);
  return {
    type: 'piecewise',
    orient: 'horizontal',
    left: 4,
    bottom: 0,
    itemWidth: isCompact(look) ? 10 : 16,
    textGap: isCompact(look) ? 4 : 8,
    itemHeight: 12,
    itemGap: isCompact(look) ? 6 : 12,
    selectedMode: false,
    textStyle: { color: palette.text },
    pieces: intervals.map(({ from, to, isClosed }, index) => ({
      gte: from,
      ...(isClosed ? { lte: to } : { lt: to }),
      label: intervalText(intervals, index, (value) => shortNumberText(value, look.locale, format)),
      color: palette.scale[Math.round((index * (palette.scale.length - 1)) / Math.max(1, intervals.length - 1))],
    })),
  };
}

/** Formats the limits of an interval. If the upper limit looks the same as the start of the next interval, it is marked as excluded. */
function intervalText(intervals: readonly Interval[], index: number, text: (value: number) => string): string {
  const [interval, next] = [intervals[index], intervals[index + 1]];
  if (interval === undefined) return '';
  const [from, to] = [text(interval.from), text(interval.to)];
  if (next !== undefined && to === text(next.from)) return `${from}–<${to}`;
  return from === to ? from : `${from}–${to}`;
}

/** An interval of values from `from` to `to`. */
interface Interval {
  readonly from: number;
  readonly to: number;
  /** Whether the interval contains `to`. */
  readonly isClosed: boolean;
}

const COUNT = 5;
/** If the highest value is more than this many times the lowest, each interval is larger than the previous one by a factor. */
const SKEWED = 20;

/** Divides the range of values into at most five intervals with round limits. Intervals of whole numbers do not share a limit. */
export function valueIntervals(values: readonly number[]): readonly Interval[] {
  if (values.length === 0) return [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return [{ from: low, to: high, isClosed: true }];
  const isWhole = values.every(Number.isInteger);
  const inner = innerLimits(low, high).map((limit) => (isWhole ? Math.ceil(limit) : limit));
  const starts = [...new Set([low, ...inner])].sort((a, b) => a - b);
  return starts.map((from, index): Interval => {
    const next = starts[index + 1];
    if (next === undefined) return { from, to: high, isClosed: true };
    return isWhole ? { from, to: next - 1, isClosed: true } : { from, to: next, isClosed: false };
  });
}

function innerLimits(low: number, high: number): number[] {
  const positive = Math.max(low, 1);
  const isSkewed = low >= 0 && high / positive > SKEWED;
  return Array.from({ length: COUNT - 1 }, (_, index) => {
    const part = (index + 1) / COUNT;
    return round(isSkewed ? positive * (high / positive) ** part : low + (high - low) * part);
  }).filter((limit) => limit > low && limit < high);
}

/** Rounds to one significant digit. After a first digit of 1, a 5 is also possible: 1.3 becomes 1.5. */
function round(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.abs(value) || 1));
  const step = Math.abs(value) / magnitude < 2 ? magnitude / 2 : magnitude;
  return Number((Math.round(value / step) * step).toPrecision(3));
}

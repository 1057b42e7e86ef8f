/** An interval of values from `from` to `to`. */
export interface Interval {
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

/** The values from `from` up to `to`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  /** Whether the interval contains `to`. */
  readonly isClosed: boolean;
}

const COUNT = 5;
/** If the highest value is more than this many times the lowest one, the intervals grow by a factor. */
const SKEWED = 20;

/** Divides values into at most five intervals with round limits. Those of whole numbers have no common limits. */
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

/** Rounds to one digit, or to two digits below 2 of its magnitude. */
function round(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.abs(value) || 1));
  const step = Math.abs(value) / magnitude < 2 ? magnitude / 2 : magnitude;
  return Number((Math.round(value / step) * step).toPrecision(3));
}

/** The values from `from` up to `to`. Only the last interval contains `to`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly last: boolean;
}

const COUNT = 5;
/** If the highest value is more than this many times the lowest one, the intervals grow by a factor. */
const SKEWED = 20;

/** Divides values into at most five intervals with round limits. */
export function valueIntervals(values: readonly number[]): readonly Interval[] {
  if (values.length === 0) return [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return [{ from: low, to: high, last: true }];
  const limits = [...new Set([low, ...innerLimits(low, high), high])].sort((a, b) => a - b);
  return limits.slice(1).map((to, index) => ({ from: limits[index] ?? low, to, last: index === limits.length - 2 }));
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

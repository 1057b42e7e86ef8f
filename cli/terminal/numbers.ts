import { InvalidArgumentError } from 'commander';

/** Formats a number, for example `1,234,567`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats a number with its noun, for example `1 file`, `2 files`, `2 repositories`, `2 processes`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun.replace(/y$/, 'ie').replace(/s$/, 'se')}s`}`;
}

/** Parses an option value such as `90d`, `24h` or `30m`. Returns milliseconds. */
export function duration(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,6})([mhd])$/.exec(text) ?? [];
  const value = Number(amount) * ({ m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
  if (amount !== undefined && value <= MAX_DAYS * 86_400_000) return value;
  throw new InvalidArgumentError(`Expected a duration from 1m to ${MAX_DAYS}d, such as 90d, 24h or 30m.`);
}

const MAX_DAYS = 3650;

/** Creates a parser for an option value that must be a whole number in this range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^(0|[1-9]\d*)$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

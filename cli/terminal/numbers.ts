import { InvalidArgumentError } from 'commander';

/** Formats a number, for example `1,234,567`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats a number with its noun, for example `1 file`, `2 files`, `2 repositories`, `2 processes`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun.replace(/y$/, 'ie').replace(/s$/, 'se')}s`}`;
}

/** Creates a parser for an option value that must be a whole number in this range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^(0|[1-9]\d*)$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

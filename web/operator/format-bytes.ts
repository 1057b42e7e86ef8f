const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a number of bytes in the largest unit of 1,000, such as `12 MB`. */
export function formatBytes(bytes: number): string {
  let [value, at] = [bytes / 1_000, 0];
  while (value >= 1_000 && at < UNITS.length - 1) {
    value /= 1_000;
    at += 1;
  }
  const unit = UNITS[at] ?? 'kilobyte';
  return new Intl.NumberFormat('en', { style: 'unit', unit, maximumSignificantDigits: 3 }).format(value);
}

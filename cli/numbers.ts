/** `1,234,567` */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 file`, `2 files` */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `1,234,567` */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 file`, `2 files`, `2 repositories` */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;
}

/** Writes a list as one text. Commas and backslashes in values are escaped, in the form that the service expects. */
export function joinList(values: readonly unknown[]): string {
  return values.map((value) => String(value).replace(/[\\,]/g, '\\$&')).join(',');
}

/** Splits a text at its commas. `\\,` is a comma within a value, and `\\\\` a backslash. */
export function splitList(text: string): string[] {
  if (text === '') return [];
  const values = [''];
  for (const [part] of text.matchAll(/\\[\\,]|[\s\S]/gu)) {
    if (part === ',') values.push('');
    else values.push(values.pop() + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return values;
}

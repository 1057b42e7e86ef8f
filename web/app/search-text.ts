/** The values in the query of a URL, as text. A name that occurs several times has its last value. */
export type SearchValues = Readonly<Record<string, string>>;

export function parseSearch(text: string): SearchValues {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes values as a query. Absent and empty values are omitted. */
export function writeSearch(values: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

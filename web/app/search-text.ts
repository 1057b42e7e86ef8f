import { joinList } from './list-text.js';

/** The values in the query of a URL, as text. A name that occurs several times is a list, separated by commas. */
export type SearchValues = Readonly<Record<string, string>>;

export function parseSearch(text: string): SearchValues {
  const search = new URLSearchParams(text);
  return Object.fromEntries([...new Set(search.keys())].map((name) => [name, textOf(search.getAll(name))]));
}

/** A single text is what the form of a list writes; several are the values of the list. */
function textOf(texts: readonly string[]): string {
  const [only = '', ...others] = texts;
  return others.length === 0 ? only : joinList(texts);
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

import { joinList } from './list-text.js';

/** The values in the query of a URL, as text. If a name occurs several times, its values are joined by commas. */
export type SearchValues = Readonly<Record<string, string>>;

export function parseSearch(text: string): SearchValues {
  const search = new URLSearchParams(text);
  return Object.fromEntries([...new Set(search.keys())].map((name) => [name, textOf(search.getAll(name))]));
}

/** A single text is used unchanged: a form writes a list as one text. Several texts are joined as a list. */
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

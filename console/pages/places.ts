/** A place of a text that is replaced by the value of a parameter, such as `{owner}`. */
export interface Place {
  readonly name: string;
  /** The offset of its brace. */
  readonly at: number;
}

/** Finds the places of a text, and the first brace that belongs to no place. */
export function findPlaces(text: string): { readonly places: readonly Place[]; readonly stray: number | undefined } {
  const places = [...text.matchAll(PLACE)].map(({ 1: name = '', index: at }) => ({ name, at }));
  const stray = text.replaceAll(PLACE, (place) => ' '.repeat(place.length)).search(/[{}]/);
  return { places, stray: stray === -1 ? undefined : stray };
}

/** Returns the name of a text that is exactly one place. */
export function onlyPlace(text: string): string | undefined {
  return ONLY_PLACE.exec(text)?.[1];
}

/** Replaces the places of a text. A place without a value is replaced by nothing. */
export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));
}

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const ONLY_PLACE = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

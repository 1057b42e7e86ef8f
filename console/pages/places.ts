/** A placeholder in a text for the value of a parameter, such as `{owner}`. */
export interface Place {
  readonly name: string;
  /** The offset of its opening brace. */
  readonly at: number;
}

/** Finds the placeholders in a text, and the first brace that does not belong to a placeholder. */
export function findPlaces(text: string): { readonly places: readonly Place[]; readonly stray: number | undefined } {
  const places = [...text.matchAll(PLACE)].map(({ 1: name = '', index: at }) => ({ name, at }));
  const stray = text.replaceAll(PLACE, (place) => ' '.repeat(place.length)).search(/[{}]/);
  return { places, stray: stray === -1 ? undefined : stray };
}

/** If a text consists of exactly one placeholder, returns its name. */
export function onlyPlace(text: string): string | undefined {
  return ONLY_PLACE.exec(text)?.[1];
}

/** Replaces the placeholders in a text. Placeholders without a value are removed. */
export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));
}

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const ONLY_PLACE = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

import { distance } from 'fastest-levenshtein';

/** Returns the known name that a mistyped name most likely means, or undefined if no known name is similar. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  const distanceTo = (candidate: string) => distance(name.toLowerCase(), candidate.toLowerCase());
  const [best] = [...known].sort((one, other) => distanceTo(one) - distanceTo(other));
  if (best === undefined || distanceTo(best) >= best.length) return undefined;
  return distanceTo(best) <= Math.max(2, best.length / 3) ? best : undefined;
}

/** Returns ` (did you mean "x"?)` for the end of a message, or an empty text if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = findNearestName(name, known);
  return candidate === undefined ? '' : ` (did you mean "${candidate}"?)`;
}

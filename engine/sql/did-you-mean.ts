import { distance } from 'fastest-levenshtein';

/**
 * Returns the known name that a mistyped name most likely means: the most similar name, or the only name that continues it, as `user_id`
 * continues `user`. Returns undefined if there is no such name.
 */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  const distanceTo = (candidate: string) => distance(name.toLowerCase(), candidate.toLowerCase());
  const [best] = [...known].sort((one, other) => distanceTo(one) - distanceTo(other));
  if (best === undefined) return undefined;
  if (distanceTo(best) < best.length && distanceTo(best) <= Math.max(2, best.length / 3)) return best;
  const longer = known.filter((candidate) => candidate.toLowerCase().startsWith(`${name.toLowerCase()}_`));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Returns ` (did you mean "x"?)` for the end of a message, or an empty text if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = findNearestName(name, known);
  return candidate === undefined ? '' : ` (did you mean "${candidate}"?)`;
}

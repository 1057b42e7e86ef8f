import { distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely means; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  const distanceTo = (candidate: string) => distance(name.toLowerCase(), candidate.toLowerCase());
  const [best] = [...known].sort((one, other) => distanceTo(one) - distanceTo(other));
  if (best === undefined || distanceTo(best) >= best.length) return undefined;
  return distanceTo(best) <= Math.max(2, best.length / 3) ? best : undefined;
}

/** ` (did you mean "x"?)`, or nothing: for the end of a message. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? '' : ` (did you mean "${candidate}"?)`;
}

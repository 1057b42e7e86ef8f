import { closest, distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely means; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || name.length > 100) return undefined;
  const candidate = closest(name.toLowerCase(), known);
  return distance(name.toLowerCase(), candidate.toLowerCase()) <= Math.max(2, candidate.length / 3)
    ? candidate
    : undefined;
}

/** ` (did you mean "x"?)`, or nothing: for the end of a message. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? '' : ` (did you mean "${candidate}"?)`;
}

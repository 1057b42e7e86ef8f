import { stringValue } from '../duckdb/tree/literals.js';
import { isFields, type Node } from '../reading/tree.js';
import { reject } from './rejection.js';

/**
 * The maximum product of counted repetitions inside each other. The time of a match grows with this product and the length of the text, and
 * DuckDB cannot interrupt a match.
 */
const MAX_REPETITIONS = 100;

/** Rejects a regular expression that a database may match for a long time. */
export function requireFastPattern(pattern: Node): void {
  for (const text of literalsIn(pattern)) {
    if (stringValue(pattern) === undefined && text.includes('{')) {
      reject('a pattern with counted repetitions must be one literal text', '', pattern.fields);
    }
    if (countRepetitions(text) > MAX_REPETITIONS) {
      reject(
        `the counted repetitions of a pattern, such as {2,5}, may multiply to at most ${MAX_REPETITIONS}`,
        '',
        pattern.fields,
      );
    }
  }
}

/** Returns the largest product of counted repetitions inside each other, as in `((a{2}){3})`, which is 6. */
function countRepetitions(pattern: string): number {
  // The largest product in each open group; the first one is that of the whole pattern.
  const open = [1];
  let last = 1;
  let most = 1;
  for (const [token, low, high] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])+\]|\{(\d+)(?:,(\d*))?\}|[()]|[^\\[{()]/gs)) {
    if (token === '(') open.push(1);
    else if (token === ')') last = open.length > 1 ? (open.pop() ?? 1) : 1;
    else if (low === undefined) last = /[*+?]/.test(token) ? last : 1;
    else last *= Math.max(1, Number(high || low));
    const inside = open.length - 1;
    open[inside] = Math.max(open[inside] ?? 1, last);
    most = Math.max(most, last);
  }
  return most;
}

function literalsIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(literalsIn);
  if (!isFields(part)) return [];
  const own = part.literal_type === 'string' ? [String(part.value)] : [];
  return [...own, ...Object.values(part).flatMap(literalsIn)];
}

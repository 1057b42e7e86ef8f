import { sqlTokens, toOffsets } from '../../sql/reading/sql-reader.js';
import type { TracedText } from '../query/traced-text.js';

/** Returns the offset in `text.sql` of the first character of a part of its syntax tree, or of a token. */
export function offsetOf(at: unknown, text: TracedText): number {
  if (typeof at === 'string') {
    return sqlTokens(text.sql).find((token) => token.text.toUpperCase() === at.toUpperCase())?.start ?? 0;
  }
  const [first] = startsIn(at, text).sort((one, other) => one - other);
  return first ?? 0;
}

/** Returns the known offsets in a part. The parser states them for names only; markers are found by their names. */
function startsIn(part: unknown, text: TracedText): number[] {
  if (Array.isArray(part)) return part.flatMap((item) => startsIn(item, text));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === 'span' && typeof value?.start === 'number')
      return [toOffsets(text.sql, value.start, value.start).start];
    if (key === 'parameter') return text.markers.find(({ name }) => name === value?.name)?.start ?? [];
    return startsIn(value, text);
  });
}

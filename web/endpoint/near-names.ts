const MAX_NAMES = 5;

/** Returns the names that are most similar to an unknown name, most similar first. */
export function nearNames(name: string, names: readonly string[]): readonly string[] {
  const wanted = wordsOf(name);
  return names
    .map((other) => ({ other, score: likeness(wanted, wordsOf(other)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ other }) => other);
}

function wordsOf(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1);
}

/** Returns the share of words that two names have in common. Words with the same beginning also count. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((word) => b.some((other) => isAlike(word, other))).length;
  return (2 * common) / Math.max(1, a.length + b.length);
}

const COMMON_START = 4;

function isAlike(a: string, b: string): boolean {
  return (
    a === b ||
    (a.length >= COMMON_START && b.length >= COMMON_START && a.slice(0, COMMON_START) === b.slice(0, COMMON_START))
  );
}

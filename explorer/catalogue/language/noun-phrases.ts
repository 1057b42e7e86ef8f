import type { Meaning } from './lexicon.js';

/**
 * Returns the concepts of the last noun in the phrase that starts at a word: for `issue creators of …`, that of `creators`. Empty if no noun
 * phrase starts there. Articles, other fillers and `skipped` concepts before the phrase are ignored.
 */
export function headNoun(meanings: readonly Meaning[], at: number, skipped: ReadonlySet<string>): readonly string[] {
  const rest = meanings.filter(({ start }) => start >= at);
  const first = rest.findIndex(
    ({ concepts, isFiller }) =>
      !(isFiller && concepts.length === 0) && !concepts.every((concept) => skipped.has(concept)),
  );
  let head: readonly string[] = [];
  for (const { concepts, nouns } of first === -1 ? [] : rest.slice(first)) {
    // `by issues` starts another phrase.
    if (concepts.includes('rank') || nouns.length === 0) break;
    head = nouns;
  }
  return head;
}

/**
 * Returns what a text counts, as concepts: `count:person` for `how many issue creators`. With these concepts, a definition that counts
 * people does not match a question about the number of issues.
 */
export function countedConcepts(
  meanings: readonly Meaning[],
): { readonly concept: string; readonly meaning: Meaning }[] {
  return meanings.flatMap((meaning) => {
    if (!meaning.concepts.includes('count')) return [];
    const head = headNoun(meanings, meaning.end, ADJECTIVES);
    const counted = head.includes('person') ? 'person' : head[0];
    return counted === undefined ? [] : [{ concept: `count:${counted}`, meaning }];
  });
}

/**
 * Returns what a question asks for, as concepts: `asks:issue` for `which issues …`. With these concepts, definitions that list people do
 * not match the question.
 */
export function askedConcepts(
  meanings: readonly Meaning[],
  words: readonly string[],
): { readonly concept: string; readonly meaning: Meaning }[] {
  return meanings.flatMap((meaning) => {
    if (!['which', 'what'].includes(words[meaning.start] ?? '') || meaning.end !== meaning.start + 1) return [];
    const next = meanings.find(({ start }) => start === meaning.end);
    if (next === undefined || !next.concepts.some((concept) => ASKED.has(concept))) return [];
    const head = headNoun(meanings, meaning.end, ADJECTIVES);
    const asked = head.includes('person') ? undefined : head.find((concept) => ASKED.has(concept));
    return asked === undefined ? [] : [{ concept: `asks:${asked}`, meaning: next }];
  });
}

/**
 * Returns words about the size of a single object, as in `the largest pull request`, because no definition returns sizes. With `people`,
 * also returns the words of `the main issue creators`, for definitions such as lists of countries, which do not return people.
 */
export function largestThings(meanings: readonly Meaning[], words: readonly string[], people: boolean): Meaning[] {
  return meanings.filter((meaning) => {
    const isLargest = meaning.concepts.includes('most') && !QUANTITIES.has(words[meaning.end - 1] ?? '');
    const next = meanings.find(({ start }) => start === meaning.end);
    const isNoun =
      next !== undefined && (next.nouns.length > 0 || next.concepts.some((concept) => ADJECTIVES.has(concept)));
    const head = isLargest && isNoun ? headNoun(meanings, meaning.end, ADJECTIVES) : [];
    if (head.includes('person')) return people;
    return head.some((concept) => concept === 'issue' || concept === 'pull-request');
  });
}

/** Words about quantities, as in `most issues` and `the highest number of issues`. These words do not mean the size of an object. */
const QUANTITIES: ReadonlySet<string> = new Set(['most', 'of', 'number', 'greatest', 'highest']);

const ASKED: ReadonlySet<string> = new Set(['star', 'issue', 'pull-request']);

/** Concepts of words between a number and its noun: `how many new people`, `top 5 most active authors`. */
export const ADJECTIVES: ReadonlySet<string> = new Set([
  'count',
  'new',
  'most',
  'breakdown',
  'create',
  'trending',
  'hot',
  'popular',
]);

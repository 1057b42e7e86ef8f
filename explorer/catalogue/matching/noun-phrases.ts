import { NOUN_CONCEPTS } from '../vocabulary.js';
import type { Meaning } from './lexicon.js';

/**
 * Returns the concepts of the last noun of the phrase that starts at a word: for `issue creators of …` those of `creators`.
 * Empty if no noun starts there. Articles and other fillers before the phrase are skipped, and `skipped` concepts too.
 */
export function headNoun(meanings: readonly Meaning[], at: number, skipped: ReadonlySet<string>): readonly string[] {
  const rest = meanings.filter(({ start }) => start >= at);
  const first = rest.findIndex(
    ({ concepts, isFiller }) => !isFiller && !concepts.every((concept) => skipped.has(concept)),
  );
  let head: readonly string[] = [];
  for (const { concepts } of first === -1 ? [] : rest.slice(first)) {
    if (!concepts.some((concept) => NOUN_CONCEPTS.has(concept))) break;
    head = concepts;
  }
  return head;
}

/**
 * Returns what a text counts, as concepts: `count:person` for `how many issue creators`. Therefore a definition that counts
 * people does not answer how many issues they opened.
 */
export function countedConcepts(
  meanings: readonly Meaning[],
): { readonly concept: string; readonly meaning: Meaning }[] {
  return meanings.flatMap((meaning) => {
    if (!meaning.concepts.includes('count')) return [];
    const head = headNoun(meanings, meaning.end, ADJECTIVES);
    const counted = head.includes('person') ? 'person' : head.find((concept) => NOUN_CONCEPTS.has(concept));
    return counted === undefined ? [] : [{ concept: `count:${counted}`, meaning }];
  });
}

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

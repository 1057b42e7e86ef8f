import type { Lexicon, Meaning } from '../language/lexicon.js';
import { ADJECTIVES, askedConcepts, countedConcepts, headNoun, largestThings } from '../language/noun-phrases.js';
import { type Assignment, hasPages } from './assign.js';
import type { CatalogueEntry } from './catalogue-index.js';

/** Returns the words of the question that neither a parameter nor the vocabulary of the definition explains. */
export function findUnexplained(
  { entry, assignment }: { readonly entry: CatalogueEntry; readonly assignment: Assignment },
  meanings: readonly Meaning[],
  words: readonly string[],
  lexicon: Lexicon,
): string[] {
  const isUsed = (index: number) => assignment.used.some(({ start, end }) => index >= start && index < end);
  const ignored = assignment.ignored.filter(
    ({ start, end }) => !entry.patterns.some(({ text }) => text.includes(words.slice(start, end).join(' '))),
  );
  const isIgnored = (index: number) => ignored.some(({ start, end }) => index >= start && index < end);
  const unexplained = meanings.flatMap(({ start, end, concepts, isFiller }) => {
    const indexes = Array.from({ length: end - start }, (_, offset) => start + offset).filter(
      (index) => !isIgnored(index),
    );
    const next = meanings.find((other) => other.start === end)?.concepts ?? [];
    const isKnown =
      isExplained(concepts, next, entry, assignment, lexicon) || isLeader(words, end, next, entry, assignment);
    if (isFiller || isKnown || indexes.every(isUsed)) return [];
    const isPartlyUsed = indexes.some(isUsed);
    return indexes
      .filter((index) => !isUsed(index) && !(isPartlyUsed && lexicon.isFiller(words[index] ?? '')))
      .map((index) => words[index] ?? '');
  });
  const asked = [...countedConcepts(meanings), ...askedConcepts(meanings, words)];
  const isRequest = lexicon.isRequest(words[0]) && isUsed(1);
  const others = [
    ...(isRequest ? [{ start: 0, end: 1 }] : []),
    ...ignored,
    ...largestThings(meanings, words, !hasPages(entry) && !entry.vocabulary.has('collection')),
    ...otherQuantities(entry, assignment, meanings, words),
    ...asked
      .filter(({ concept, meaning }) => !entry.vocabulary.has(concept) && !isUsed(meaning.start))
      .map(({ meaning }) => meaning),
  ];
  return [...unexplained, ...others.map(({ start, end }) => words.slice(start, end).join(' '))];
}

/**
 * Returns words about quantities that the definition does not return. Examples: the number of repositories or the total of a ranking, or
 * `the top 10 issue creators` for a list of countries.
 */
function otherQuantities(
  { vocabulary }: CatalogueEntry,
  { used, rows }: Assignment,
  meanings: readonly Meaning[],
  words: readonly string[],
): Pick<Meaning, 'start' | 'end'>[] {
  const collection = used.find(({ kind }) => kind === 'collection');
  const isRanking =
    vocabulary.has('collection') &&
    vocabulary.has('rank') &&
    !meanings.some(({ concepts }) => concepts.some((one) => RANKING.has(one)));
  const counted = meanings.filter(
    ({ start, end, concepts }) =>
      concepts.includes('count') &&
      ((isRanking && TOTALS.has(words[start] ?? '')) ||
        (collection !== undefined && [0, 1].includes(collection.start - end))),
  );
  const people = used.filter(
    ({ kind, end }) =>
      kind === 'number' && rows !== undefined && headNoun(meanings, end, ADJECTIVES).includes('person'),
  );
  return [...counted, ...people];
}

const RANKING: ReadonlySet<string> = new Set(['rank', 'most', 'compare', 'breakdown']);
const TOTALS: ReadonlySet<string> = new Set(['how', 'total']);

/**
 * Whether a definition explains the concepts of a phrase. Concepts that questions can omit are ignored if the phrase has another concept.
 * The number of stargazers counts as the number of stars.
 */
function isExplained(
  concepts: readonly string[],
  next: readonly string[],
  { vocabulary }: CatalogueEntry,
  { used }: Assignment,
  lexicon: Lexicon,
): boolean {
  const unknown = concepts.filter((concept) => !vocabulary.has(concept));
  if (unknown.length === 0) return concepts.length > 0;
  // `new` is explained by a range of days, because all events in it are new. This explanation does not hold for countries, or for a
  // history, which counts from the beginning.
  const isInRange = used.some(({ kind }) => kind === 'range') && !vocabulary.has('over-time');
  const isOfEvents = !next.includes('country') && !next.includes('organization');
  if (isInRange && isOfEvents && concepts.every((concept) => concept === 'new')) return true;
  const isStar = vocabulary.has('star') && concepts.includes('star');
  return (
    unknown.length < concepts.length &&
    unknown.every((concept) => lexicon.isOptional(concept) || concept === 'now' || (isStar && concept === 'person'))
  );
}

/** Whether `who` before a word means a repository in a ranking: `which text editor …, who gets most stars?` */
function isLeader(
  words: readonly string[],
  at: number,
  next: readonly string[],
  { vocabulary }: CatalogueEntry,
  { used }: Assignment,
): boolean {
  if (words[at - 1] !== 'who' || !vocabulary.has('rank') || !used.some(({ kind }) => kind === 'collection'))
    return false;
  return OWNING.has(words[at] ?? '') || next.some((concept) => concept === 'gain' || concept === 'most');
}

const OWNING: ReadonlySet<string> = new Set(['has', 'had', 'have', 'is', 'sees', 'saw', 'gets', 'got']);

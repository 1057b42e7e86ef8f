import type { Slot } from '../reading/slot.js';
import { type Assignment, assignSlots } from './assign.js';
import { type CatalogueEntry, type QuestionPattern, withImplied } from './catalogue-index.js';
import type { Lexicon } from './lexicon.js';
import { countedConcepts } from './noun-phrases.js';

/** The words of a question, and the values that they can mean. */
export interface ReadQuestion {
  readonly words: readonly string[];
  readonly slots: readonly Slot[];
}

/** A definition that answers a question. */
export interface Match {
  readonly entry: CatalogueEntry;
  readonly pattern: QuestionPattern;
  readonly assignment: Assignment;
  /** Greater is better. */
  readonly score: number;
}

/** A definition that would answer a question if the question had these parameters, or without these words. */
export interface NearMatch {
  readonly entry: CatalogueEntry;
  readonly pattern: QuestionPattern;
  readonly assignment: Assignment;
  readonly missing: readonly string[];
  /** Words that the definition does not explain. */
  readonly unexplained: readonly string[];
}

/**
 * A definition matches a question if one of its own questions has no concept that the question lacks, and if each word
 * of the question is explained: by a parameter, a concept of the definition, or as a filler.
 */
export function matchEntry(
  entry: CatalogueEntry,
  question: ReadQuestion,
  lexicon: Lexicon,
): Match | NearMatch | undefined {
  const assignment = assignSlots(entry, question.slots);
  const meanings = lexicon.explain(hideNames(question.words, assignment.used));
  // The name of a collection implies the concept `collection`.
  const kinds = assignment.used.map(({ kind }) => kind);
  const written = meanings.flatMap((meaning) => meaning.concepts);
  const concepts = withImplied(new Set([...written, ...kinds]));
  const pattern = bestPattern(entry, concepts, assignment);
  // The name of a collection alone is not a question.
  if (pattern === undefined || !written.some((concept) => pattern.concepts.has(concept))) return undefined;
  const isUsed = (index: number) => assignment.used.some(({ start, end }) => index >= start && index < end);
  const unexplained = meanings.flatMap(({ start, end, concepts: ofPhrase, isFiller }) => {
    const indexes = Array.from({ length: end - start }, (_, offset) => start + offset);
    const isExplained =
      isFiller ||
      indexes.every(isUsed) ||
      (ofPhrase.length > 0 && ofPhrase.every((concept) => entry.vocabulary.has(concept)));
    if (isExplained) return [];
    const isPartlyUsed = indexes.some(isUsed);
    return indexes
      .filter((index) => !isUsed(index) && !(isPartlyUsed && lexicon.isFiller(question.words[index] ?? '')))
      .map((index) => question.words[index] ?? '');
  });
  const uncounted = countedConcepts(meanings).filter(({ concept }) => !entry.vocabulary.has(concept));
  unexplained.push(...uncounted.map(({ meaning }) => question.words.slice(meaning.start, meaning.end).join(' ')));
  const missing = entry.requiredParameters.filter((name) => !Object.hasOwn(assignment.values, name));
  const near = { entry, pattern, assignment };
  if (missing.length > 0 || unexplained.length > 0) return { ...near, missing, unexplained };
  const shared = [...pattern.concepts].filter((concept) => concepts.has(concept)).length;
  return { ...near, score: pattern.required.size * 10 + shared - pattern.concepts.size / 10 };
}

/** Replaces the words of names, so that the words of a collection such as `Issue Tracker` are not concepts. */
function hideNames(words: readonly string[], used: readonly Slot[]): readonly string[] {
  const isName = (index: number) =>
    used.some(
      ({ kind, start, end }) => (kind === 'repository' || kind === 'collection') && index >= start && index < end,
    );
  return words.map((word, index) => (isName(index) ? '' : word));
}

/** Returns the pattern whose concepts are all in the question, with the most concepts in common. */
function bestPattern(entry: CatalogueEntry, concepts: ReadonlySet<string>, { values }: Assignment) {
  const commonOf = ({ concepts: own }: QuestionPattern) => [...own].filter((concept) => concepts.has(concept)).length;
  const choices = (pattern: QuestionPattern) =>
    pattern.parameters.filter((name) => !entry.requiredParameters.includes(name));
  return entry.patterns
    .filter(({ required }) => [...required].every((concept) => concepts.has(concept)))
    .filter(({ optional: weak }) => weak.size === 0 || [...weak].some((concept) => concepts.has(concept)))
    .filter((pattern) => choices(pattern).every((name) => Object.hasOwn(values, name)))
    .sort((one, other) => other.required.size - one.required.size || commonOf(other) - commonOf(one))
    .at(0);
}

export function isMatch(result: Match | NearMatch | undefined): result is Match {
  return result !== undefined && 'score' in result;
}

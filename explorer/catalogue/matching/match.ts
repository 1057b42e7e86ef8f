import type { Lexicon, Meaning } from '../language/lexicon.js';
import { ENTITY_KINDS } from '../language/vocabulary.js';
import type { Slot } from '../reading/slot.js';
import { type Assignment, assignSlots } from './assign.js';
import type { CatalogueEntry, QuestionPattern } from './catalogue-index.js';
import { findUnexplained } from './unexplained.js';

/** The words of a question, and the values that they can represent. */
export interface ReadQuestion {
  readonly words: readonly string[];
  readonly slots: readonly Slot[];
}

/** A definition that answers a question. */
export interface Match {
  readonly entry: CatalogueEntry;
  readonly pattern: QuestionPattern;
  readonly assignment: Assignment;
  /** A greater score is a better match. */
  readonly score: number;
}

/** A definition that would answer a question if it also contained these parameters, or did not contain these words. */
export interface NearMatch {
  readonly entry: CatalogueEntry;
  readonly pattern: QuestionPattern;
  readonly assignment: Assignment;
  readonly missing: readonly string[];
  /** The words of the question that the definition does not explain. */
  readonly unexplained: readonly string[];
}

/**
 * Matches a question with each definition. A definition matches if the question has all concepts of one of its patterns, and if each word
 * of the question is explained: by a parameter, by a concept of the definition, or as a filler.
 */
export function matchEntries(
  entries: readonly CatalogueEntry[],
  question: ReadQuestion,
  lexicon: Lexicon,
): (Match | NearMatch)[] {
  // Most definitions replace the same names, so the meanings of equal words are cached.
  const known = new Map<string, readonly Meaning[]>();
  const explain = (words: readonly string[]) => {
    const key = words.join(' ');
    const meanings = known.get(key) ?? lexicon.explain(words);
    known.set(key, meanings);
    return meanings;
  };
  return entries.flatMap((entry) => {
    const assignment = assignSlots(entry, question.slots);
    const meanings = explain(hideNames(question.words, assignment.used));
    const found = matchEntry(entry, assignment, meanings, question.words, lexicon);
    if (found === undefined) return [];
    const missing = entry.requiredParameters.filter((name) => !Object.hasOwn(assignment.values, name));
    const unexplained = findUnexplained(found, meanings, question.words, lexicon);
    const { score, ...near } = found;
    return [missing.length > 0 || unexplained.length > 0 ? { ...near, missing, unexplained } : found];
  });
}

export function isMatch(result: Match | NearMatch): result is Match {
  return 'score' in result;
}

/** Matches one definition. Undefined if the question does not have the concepts of any of its patterns. */
function matchEntry(
  entry: CatalogueEntry,
  assignment: Assignment,
  meanings: readonly Meaning[],
  words: readonly string[],
  lexicon: Lexicon,
): Match | undefined {
  // The name of a collection also adds the concept `collection`.
  const kinds = ENTITY_KINDS.filter((kind) =>
    entry.entities[kind]?.some((name) => Object.hasOwn(assignment.values, name)),
  );
  const written = meanings.flatMap((meaning) => meaning.concepts);
  const concepts = lexicon.withImplied(new Set([...written, ...kinds]));
  const pattern = bestPattern(entry, concepts, assignment);
  // The name of a collection alone is not a question, unless a definition has this question.
  const isAsked =
    written.some((concept) => pattern?.concepts.has(concept)) ||
    (pattern?.isName === true && written.length === 0 && assignment.used.every(isKnownName)) ||
    asksForMembers(words, assignment);
  if (pattern === undefined || !isAsked) return undefined;
  const shared = [...pattern.concepts].filter((concept) => concepts.has(concept)).length;
  // A definition that uses a value of the question answers more of it than one in which the words only have a meaning.
  const values = assignment.used.filter(({ kind }) => kind === 'value').length;
  const score = pattern.required.size * 10 + shared + values * 5 - pattern.concepts.size / 10;
  return { entry, pattern, assignment, score };
}

function isKnownName(slot: Slot): boolean {
  return slot.start >= 0 && (slot.kind !== 'repository' || slot.isKnown);
}

/** Whether a question contains only the name of a collection and a request for its members: `list all web frameworks`. */
function asksForMembers(words: readonly string[], { used }: Assignment): boolean {
  const collection = used.find(({ kind }) => kind === 'collection');
  return (
    collection !== undefined &&
    words
      .slice(0, collection.start)
      .some((word, index) => ASKING.has(word) || (word === 'what' && index === collection.start - 1))
  );
}

const ASKING: ReadonlySet<string> = new Set([
  'which',
  'list',
  'show',
  'all',
  'every',
  'enumerate',
  'name',
  'give',
  'display',
]);

/** Replaces the words of names, so that the words of a collection name such as `Issue Tracker` are not read as concepts. */
function hideNames(words: readonly string[], used: readonly Slot[]): readonly string[] {
  const isName = (index: number) =>
    used.some(
      ({ kind, start, end }) => ['repository', 'collection', 'account'].includes(kind) && index >= start && index < end,
    );
  return words.map((word, index) => (isName(index) ? '' : word));
}

/** Among the patterns whose concepts are all in the question, returns the one with the most concepts in common. */
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

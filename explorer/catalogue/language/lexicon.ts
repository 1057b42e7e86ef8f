import { functionPhrases, isAdverb } from './function-words.js';
import { type FoundPhrase, PhraseMap, readPhrases, singular, stem } from './phrase-list.js';
import { CONCEPTS, OTHER_WORDS, VALUE_NAMES, WEAK_CONCEPTS } from './vocabulary.js';

/** An enum value of a parameter. */
export interface EnumValue {
  readonly parameter: string;
  readonly value: string;
  /** Whether only exactly this text means the value, as for `past_month`. */
  readonly isExact: boolean;
}

/**
 * The meaning of the words from `start` to `end` (exclusive): concepts, or fillers that do not change a question. Words such as `chart` can
 * be both. Words without a meaning are unknown.
 */
export interface Meaning {
  readonly start: number;
  readonly end: number;
  readonly concepts: readonly string[];
  readonly isFiller: boolean;
}

/** A dictionary of words and phrases: the concepts of the vocabulary, and additional words from definitions. */
export class Lexicon {
  readonly #phrases = new PhraseMap<readonly string[]>();
  readonly #fillers = new PhraseMap<true>();

  constructor() {
    for (const [concept, text] of Object.entries(CONCEPTS)) {
      for (const phrase of readPhrases(text)) {
        const others = this.#phrases.get(phrase) ?? [];
        this.#phrases.set(phrase, [...others, concept]);
      }
    }
    for (const phrase of FUNCTION_PHRASES) this.#fillers.set(phrase.split(' '), true);
  }

  /** Adds a word from a definition. If the lexicon does not contain it, it becomes a new concept. */
  add(word: string): void {
    if (!this.isWord(word)) this.#phrases.set([singular(word)], [`"${singular(word)}"`]);
  }

  /** Whether the lexicon contains a word, as a phrase or as part of a phrase. */
  isWord(word: string): boolean {
    return this.#concepts([word], 0) !== undefined || this.isFiller(word);
  }

  isFiller(word: string): boolean {
    return this.#filler([word], 0) !== undefined;
  }

  /** Whether a word can be a condition or an object of the domain. */
  restricts(word: string): boolean {
    const concepts = this.#concepts([word], 0)?.value ?? [];
    return isOther(word) || concepts.some((concept) => !WEAK_CONCEPTS.has(concept) && concept !== 'organization');
  }

  /** Splits words into phrases with their meanings. Longer phrases take precedence, and concepts take precedence over fillers. */
  explain(words: readonly string[]): Meaning[] {
    const meanings: Meaning[] = [];
    for (let start = 0; start < words.length; start = meanings.at(-1)?.end ?? start + 1) {
      const concepts = this.#concepts(words, start);
      const filler = this.#filler(words, start);
      const isOnlyFiller = filler !== undefined && (concepts === undefined || isBetter(filler, concepts));
      const end = (isOnlyFiller ? filler.end : concepts?.end) ?? start + 1;
      const isFiller = filler !== undefined && filler.end === end;
      meanings.push({ start, end, concepts: isOnlyFiller ? [] : (concepts?.value ?? []), isFiller });
    }
    return meanings;
  }

  #concepts(words: readonly string[], start: number): FoundPhrase<readonly string[]> | undefined {
    return (
      this.#phrases.longest(words, start) ?? (isOther(words[start]) ? undefined : this.#phrases.otherForm(words, start))
    );
  }

  #filler(words: readonly string[], start: number): FoundPhrase<true> | undefined {
    const found = this.#fillers.longest(words, start);
    const isOne =
      found === undefined && isAdverb(words[start] ?? '') && !isOther(words[start]) && words[start - 1] !== 'most';
    return isOne ? { end: start + 1, value: true, isExact: false } : found;
  }

  /** Returns all words with a meaning, to which misspelled words can be corrected. */
  words(): string[] {
    return this.#phrases.words();
  }
}

/** Creates a function that checks whether a word without a concept is still a correctly spelled word. */
export function createIsKnown(values: readonly EnumValue[]): (word: string) => boolean {
  const texts = [...FUNCTION_PHRASES, ...Object.values(VALUE_NAMES), ...values.map(({ value }) => value.toLowerCase())];
  const known = new Set(texts.flatMap((text) => text.split(/[\s_,]+/)));
  return (word) => known.has(word) || isOther(word);
}

const FUNCTION_PHRASES = functionPhrases();
const OTHERS: ReadonlySet<string> = new Set(OTHER_WORDS.split(/[\s,]+/).flatMap((word) => [word, stem(word)]));

function isOther(word = ''): boolean {
  return OTHERS.has(word) || OTHERS.has(stem(word));
}

/** Whether a filler explains the words at a position better than a concept. */
function isBetter(filler: FoundPhrase<true>, concept: FoundPhrase<readonly string[]>): boolean {
  return filler.end > concept.end || (filler.end === concept.end && filler.isExact && !concept.isExact);
}

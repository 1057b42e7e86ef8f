import { functionPhrases, isAdverb } from './function-words.js';
import { type FoundPhrase, PhraseMap, singular, stem, toWords } from './phrase-list.js';
import type { Vocabulary } from './vocabulary.js';

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
  /** Those of the concepts that questions list or count. */
  readonly nouns: readonly string[];
  readonly isFiller: boolean;
}

/** A dictionary of words and phrases: the concepts of the vocabulary, and additional words from definitions. */
export class Lexicon {
  readonly #phrases = new PhraseMap<readonly string[]>();
  readonly #fillers = new PhraseMap<true>();
  readonly #others: ReadonlySet<string>;
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#others = new Set(vocabulary.other_words.flatMap((word) => [word, stem(word)]));
    for (const [concept, { phrases }] of Object.entries(vocabulary.concepts)) {
      for (const phrase of toWords(phrases)) {
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
    return this.isOther(word) || concepts.some((concept) => !this.isOptional(concept) && concept !== 'organization');
  }

  /** Whether a question can omit a concept, even if every question of a definition has it. */
  isOptional(concept: string): boolean {
    return this.#vocabulary.concepts[concept]?.optional === true;
  }

  /** Whether a word has another meaning than similar words of the vocabulary. */
  isOther(word = ''): boolean {
    return this.#others.has(word) || this.#others.has(stem(word));
  }

  /** Whether a word asks for a change if a name follows it at the start of a question. */
  isRequest(word = ''): boolean {
    return this.#vocabulary.requests.includes(word);
  }

  /** Adds the concepts that follow from others: `where` means the country, unless the question is about organizations. */
  withImplied(concepts: ReadonlySet<string>): ReadonlySet<string> {
    const all = new Set(concepts);
    for (const { has, unless, adds } of this.#vocabulary.implied) if (all.has(has) && !all.has(unless)) all.add(adds);
    return all;
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
      const meant = isOnlyFiller ? [] : (concepts?.value ?? []);
      const nouns = meant.filter((concept) => this.#vocabulary.concepts[concept]?.noun === true);
      meanings.push({ start, end, concepts: meant, nouns, isFiller });
    }
    return meanings;
  }

  #concepts(words: readonly string[], start: number): FoundPhrase<readonly string[]> | undefined {
    return (
      this.#phrases.longest(words, start) ??
      (this.isOther(words[start]) ? undefined : this.#phrases.otherForm(words, start))
    );
  }

  #filler(words: readonly string[], start: number): FoundPhrase<true> | undefined {
    const found = this.#fillers.longest(words, start);
    const isOne =
      found === undefined && isAdverb(words[start] ?? '') && !this.isOther(words[start]) && words[start - 1] !== 'most';
    return isOne ? { end: start + 1, value: true, isExact: false } : found;
  }

  /** Returns all words with a meaning, to which misspelled words can be corrected. */
  words(): string[] {
    return [...this.#phrases.words(), ...SPELLED_FILLERS];
  }
}

/** Creates a function that checks whether a word without a concept is still a correctly spelled word. */
export function createIsKnown(
  lexicon: Lexicon,
  { values: names }: Vocabulary,
  values: readonly EnumValue[],
): (word: string) => boolean {
  const texts = [
    ...FUNCTION_PHRASES,
    ...Object.values(names).flat(),
    ...values.map(({ value }) => value.toLowerCase()),
  ];
  const known = new Set(texts.flatMap((text) => text.split(/[\s_,]+/)));
  return (word) => known.has(word) || lexicon.isOther(word);
}

const FUNCTION_PHRASES = functionPhrases();
/** Fillers that users often misspell. */
const SPELLED_FILLERS = ['display', 'information', 'overview', 'please', 'statistics', 'summary', 'together'];

/** Whether a filler explains the words at a position better than a concept. */
function isBetter(filler: FoundPhrase<true>, concept: FoundPhrase<readonly string[]>): boolean {
  return filler.end > concept.end || (filler.end === concept.end && filler.isExact && !concept.isExact);
}

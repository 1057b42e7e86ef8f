import { PhraseMap, readPhrases, singular } from './phrase-list.js';
import { CONCEPTS, FILLERS, OTHER_WORDS } from './vocabulary.js';

/** An enum value of a parameter. */
export interface EnumValue {
  readonly parameter: string;
  readonly value: string;
  /** Whether only the unchanged text means the value: `past_month`. */
  readonly isExact: boolean;
}

/** What the words from `start` to `end` (exclusive) mean. Words that are neither concepts nor fillers are unknown. */
export interface Meaning {
  readonly start: number;
  readonly end: number;
  readonly concepts: readonly string[];
  readonly isFiller: boolean;
}

/** Knows the meaning of words: the concepts of the vocabulary, and further words that the definitions use. */
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
    for (const phrase of readPhrases(FILLERS)) this.#fillers.set(phrase, true);
  }

  /** Adds a word of a definition that the vocabulary does not contain. It becomes a concept. */
  add(word: string): void {
    if (!this.isWord(word)) this.#phrases.set([singular(word)], [`"${singular(word)}"`]);
  }

  /** Whether a word is a phrase of the lexicon, alone or as a part. */
  isWord(word: string): boolean {
    return this.#phrases.longest([word], 0) !== undefined || this.#fillers.longest([word], 0) !== undefined;
  }

  isFiller(word: string): boolean {
    return this.#fillers.longest([word], 0) !== undefined;
  }

  /** Divides words into phrases with their meanings. Longer phrases come first, and concepts before fillers. */
  explain(words: readonly string[]): Meaning[] {
    const meanings: Meaning[] = [];
    for (let start = 0; start < words.length; start = meanings.at(-1)?.end ?? start + 1) {
      const concepts = this.#phrases.longest(words, start);
      const filler = this.#fillers.longest(words, start);
      const isFiller = filler !== undefined && filler.end > (concepts?.end ?? start);
      const end = (isFiller ? filler?.end : concepts?.end) ?? start + 1;
      meanings.push({ start, end, concepts: isFiller ? [] : (concepts?.value ?? []), isFiller });
    }
    return meanings;
  }

  /** The words with a meaning: corrections of spelling can produce them. */
  words(): string[] {
    return this.#phrases.words();
  }
}

/** Words that are spelled correctly, although the lexicon does not contain them. */
export function knownWords(values: readonly EnumValue[], fillers = FILLERS): ReadonlySet<string> {
  const texts = [fillers, OTHER_WORDS, ...values.map(({ value }) => value.toLowerCase())];
  return new Set(texts.flatMap((text) => text.split(/[\s,_]+/)));
}

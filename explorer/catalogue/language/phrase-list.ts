/** Splits phrases into words: `pull request` → `['pull', 'request']`. */
export function toWords(phrases: readonly string[]): string[][] {
  return phrases.map((phrase) => phrase.trim().split(/\s+/)).filter(([first]) => first !== '');
}

export interface FoundPhrase<Value> {
  /** The index after the last word of the phrase. */
  readonly end: number;
  readonly value: Value;
  /** Whether exactly these words are in the list, and not only another form of them. */
  readonly isExact: boolean;
}

/** A map from phrases to values, in which the longest phrase at a word can be found. */
export class PhraseMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #stems = new Map<string, Value>();
  #longest = 0;

  set(words: readonly string[], value: Value): void {
    this.#values.set(words.join(' '), value);
    if (words.length === 1 && words[0] !== undefined) this.#stems.set(stem(words[0]), value);
    this.#longest = Math.max(this.#longest, words.length);
  }

  get(words: readonly string[]): Value | undefined {
    return this.#values.get(words.join(' '));
  }

  /** Finds the longest phrase that starts at a word. Plural forms also match. */
  longest(words: readonly string[], start: number): FoundPhrase<Value> | undefined {
    for (let end = Math.min(words.length, start + this.#longest); end > start; end -= 1) {
      const phrase = words.slice(start, end);
      const value =
        this.get(phrase) ??
        this.get([...phrase.slice(0, -1), singular(phrase.at(-1) ?? '')]) ??
        this.get(phrase.map(singular));
      if (value !== undefined) return { end, value, isExact: true };
    }
    return undefined;
  }

  /** Finds a phrase of one word by another form of the word: `climbing` finds `climb`. */
  otherForm(words: readonly string[], start: number): FoundPhrase<Value> | undefined {
    const value = this.#stems.get(stem(words[start] ?? ''));
    return value === undefined ? undefined : { end: start + 1, value, isExact: false };
  }

  /** Returns all words that occur in the phrases. */
  words(): string[] {
    return [...new Set([...this.#values.keys()].flatMap((phrase) => phrase.split(' ')))];
  }
}

export function singular(word: string): string {
  if (word.length <= 2 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** Removes the endings of verbs and plurals, so that all forms of a regular word have the same stem. The stem may not be a real word. */
export function stem(word: string): string {
  if (word.length < MIN_STEMMED) return word;
  const base = singular(word).replace(/(?:ing|ed|e)$/, '');
  if (base.length < MIN_STEM) return word;
  return base.replace(/([bdgmnprt])\1$/, '$1').replace(/y$/, 'i');
}

const MIN_STEMMED = 5;
const MIN_STEM = 3;

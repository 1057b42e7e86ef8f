/** Reads a list of phrases: `pull request, pr` → `[['pull', 'request'], ['pr']]`. */
export function readPhrases(text: string): string[][] {
  return text
    .split(',')
    .map((phrase) => phrase.trim().split(/\s+/))
    .filter(([first]) => first !== '');
}

/** Phrases with a value, for finding the longest phrase at a word. */
export class PhraseMap<Value> {
  readonly #values = new Map<string, Value>();
  #longest = 0;

  set(words: readonly string[], value: Value): void {
    this.#values.set(words.join(' '), value);
    this.#longest = Math.max(this.#longest, words.length);
  }

  get(words: readonly string[]): Value | undefined {
    return this.#values.get(words.join(' '));
  }

  /** Finds the longest phrase that starts at a word. Plural forms also match. */
  longest(words: readonly string[], start: number): { readonly end: number; readonly value: Value } | undefined {
    for (let end = Math.min(words.length, start + this.#longest); end > start; end -= 1) {
      const phrase = words.slice(start, end);
      const value =
        this.get(phrase) ??
        this.get([...phrase.slice(0, -1), singular(phrase.at(-1) ?? '')]) ??
        this.get(phrase.map(singular));
      if (value !== undefined) return { end, value };
    }
    return undefined;
  }

  /** All single words of the phrases. */
  words(): string[] {
    return [...new Set([...this.#values.keys()].flatMap((phrase) => phrase.split(' ')))];
  }

  phrases(): string[] {
    return [...this.#values.keys()];
  }
}

export function singular(word: string): string {
  if (word.length <= 2 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

import { distance } from 'fastest-levenshtein';

/** Corrects misspelled words. */
export class Spelling {
  /** The words by length. */
  readonly #words = new Map<number, string[]>();
  readonly #isKnown: (word: string) => boolean;

  /** A misspelled word is replaced by one of `words`. `isKnown` recognizes other words that are correct. */
  constructor(words: Iterable<string>, isKnown: (word: string) => boolean) {
    this.#isKnown = isKnown;
    for (const word of new Set(words)) {
      for (const form of [word, plural(word)]) {
        if (word.length <= MIN_LENGTH || !/^\p{L}+$/u.test(word)) continue;
        this.#words.set(form.length, [...(this.#words.get(form.length) ?? []), form]);
      }
    }
  }

  /** Returns the corrected word. Undefined if the word is correct, too short, or not similar to exactly one word. */
  correct(word: string): string | undefined {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^\p{L}+$/u.test(word)) return undefined;
    if (this.#isKnown(word) || this.#hasWord(word)) return undefined;
    const allowed = word.length >= LONG ? 2 : 1;
    const similar = [...this.#candidates(word, allowed)].sort((one, other) => one.cost - other.cost);
    const [best, second] = similar;
    return best === undefined || best.cost === second?.cost ? undefined : best.word;
  }

  #hasWord(word: string): boolean {
    return this.#words.get(word.length)?.includes(word) === true;
  }

  *#candidates(word: string, allowed: number): Iterable<{ readonly word: string; readonly cost: number }> {
    for (let length = word.length - allowed; length <= word.length + allowed; length += 1) {
      for (const candidate of new Set(this.#words.get(length) ?? [])) {
        // A short word is similar to many other words, so it is only corrected if a letter is missing, as in `isue`.
        if (word.length === MIN_LENGTH && (candidate.length === word.length || candidate[0] !== word[0])) continue;
        const edits = countEdits(word, candidate);
        if (edits > allowed || (edits > 1 && candidate.length < LONG)) continue;
        // Users rarely misspell the first letter, and replace a letter more often than they omit or insert one.
        const cost = edits * 4 + (candidate[0] === word[0] ? 0 : 2) + (candidate.length === word.length ? 0 : 1);
        if (cost < MAX_COST) yield { word: candidate, cost };
      }
    }
  }
}

const MIN_LENGTH = 4;
const MAX_LENGTH = 30;
const LONG = 8;
const MAX_COST = 10;

function plural(word: string): string {
  if (/(?:s|ed|ing|ly)$/.test(word)) return word;
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** The edit distance of two words. Two swapped letters count as one edit. */
function countEdits(word: string, candidate: string): number {
  const edits = distance(word, candidate);
  if (edits !== 2 || word.length !== candidate.length) return edits;
  const at = [...word].findIndex((letter, index) => letter !== candidate[index]);
  const isExchanged = word[at] === candidate[at + 1] && word[at + 1] === candidate[at];
  return isExchanged && word.slice(at + 2) === candidate.slice(at + 2) ? 1 : edits;
}

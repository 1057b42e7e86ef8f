import { PhraseMap, singular, toWords } from '../language/phrase-list.js';
import type { CollectionName } from './catalogue-names.js';
import type { Slot } from './slot.js';

/** Finds the names and ids of collections in questions. */
export class CollectionReader {
  readonly #names = new PhraseMap<CollectionName>();
  readonly #byId: ReadonlyMap<number, CollectionName>;
  /** All words that occur in the names. */
  readonly words: ReadonlySet<string>;

  constructor(collections: readonly CollectionName[]) {
    this.#byId = new Map(collections.map((collection) => [collection.id, collection]));
    for (const collection of collections) this.#names.set(wordsOf(collection.name), collection);
    this.words = new Set(collections.flatMap(({ name }) => wordsOf(name)));
  }

  /** Finds names of collections. A name of one word, and a part of a name, is only accepted next to the word `collection`. */
  read(words: readonly string[]): Slot[] {
    return words.flatMap((word, start): Slot[] => {
      const isNext = words.slice(Math.max(0, start - 2), start).some(isCollection);
      if (isNext && /^#?\d{1,9}$/.test(word)) {
        const collection = this.#byId.get(Number(word.replace('#', '')));
        return collection === undefined ? [] : [{ kind: 'collection', ...collection, start, end: start + 1 }];
      }
      const found = this.#names.longest(words, start);
      if (found !== undefined) {
        const isMeant = found.end - start > 1 || isNext || isCollection(words[found.end] ?? '');
        return isMeant ? [{ kind: 'collection', ...found.value, start, end: found.end }] : [];
      }
      return this.#readPart(words, start, isNext);
    });
  }

  /** Finds a part of a name, such as `machine learning collection`, if only one name begins with these words. */
  #readPart(words: readonly string[], start: number, isNext: boolean): Slot[] {
    for (let end = Math.min(words.length, start + MAX_PART); end > start; end -= 1) {
      const part = words.slice(start, end).map(singular).join(' ');
      if (!isNext && !isCollection(words[end] ?? '')) continue;
      const fitting = [...this.#byId.values()].filter(({ name }) =>
        `${wordsOf(name).join(' ')} `.startsWith(`${part} `),
      );
      const [only, ...others] = fitting;
      if (only !== undefined && others.length === 0) return [{ kind: 'collection', ...only, start, end }];
    }
    return [];
  }
}

const MAX_PART = 4;

function isCollection(word: string): boolean {
  return singular(word) === 'collection';
}

function wordsOf(name: string): string[] {
  const [words = []] = toWords([name.toLowerCase().replaceAll(/[^\p{L}\p{N}+#.]+/gu, ' ')]);
  return words.map(singular);
}

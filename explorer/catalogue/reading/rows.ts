import type { Meaning } from '../language/lexicon.js';
import { ADJECTIVES, headNoun } from '../language/noun-phrases.js';
import { PhraseMap, toWords } from '../language/phrase-list.js';
import type { Vocabulary } from '../language/vocabulary.js';
import { readNumber } from './points.js';
import type { Slot } from './slot.js';

/**
 * Finds pages (`page 2`) and numbers of rows: `top 5`, `ten people`, `20 rows`. Other numbers, such as in `who opened 5 issues`, are
 * conditions. `isUsed` excludes words of dates.
 */
export function readNumbers(
  words: readonly string[],
  meanings: readonly Meaning[],
  isUsed: (index: number) => boolean,
): Slot[] {
  return words.flatMap((word, start): Slot[] => {
    const value = isUsed(start) ? undefined : readNumber(word.replace(/^#/, ''));
    if (value === undefined) return [];
    if (words[start - 1] === 'page') {
      return [{ kind: 'value', parameter: 'page', value: String(value), start: start - 1, end: start + 1 }];
    }
    const isPage = words[start + 1] === 'per' && words[start + 2] === 'page';
    const end = isPage ? start + 3 : ROW_WORDS.includes(words[start + 1] ?? '') ? start + 2 : start + 1;
    const next = meanings.find((meaning) => meaning.start === start + 1);
    const isRanked = TOP_WORDS.includes(words[start - 1] ?? '') || next?.concepts.includes('most') === true;
    const head = headNoun(meanings, start + 1, ADJECTIVES);
    const isListed = head.some((concept) => LISTED.includes(concept));
    return end > start + 1 || isRanked || isListed ? [{ kind: 'number', value, start, end }] : [];
  });
}

interface Order {
  readonly values: RegExp;
  readonly isOfPeople: boolean;
}

/** Finds the words for an order of rows: `newest first`, `fewest`. */
export type ReadOrders = (words: readonly string[], meanings: readonly Meaning[]) => Slot[];

export function createOrderReader({ orders }: Vocabulary): ReadOrders {
  const known = new PhraseMap<Order>();
  for (const { values, of_people: isOfPeople = false, phrases } of orders) {
    for (const phrase of toWords(phrases)) known.set(phrase, { values: new RegExp(values), isOfPeople });
  }
  return (words, meanings) => readOrders(known, words, meanings);
}

function readOrders(known: PhraseMap<Order>, words: readonly string[], meanings: readonly Meaning[]): Slot[] {
  const slots: Slot[] = [];
  for (let start = 0; start < words.length; start += 1) {
    const found = known.longest(words, start);
    if (found === undefined) continue;
    const { end, value } = found;
    const leading = words[start] === 'first' && end === start + 1 ? leadingOrder(words, start, slots) : undefined;
    if (leading !== undefined) slots.push({ kind: 'order', values: leading, start, end });
    else if (!value.isOfPeople || isOfPeople(words, meanings, start, end)) {
      slots.push({ kind: 'order', values: value.values, start, end });
    }
    start = end - 1;
  }
  return slots;
}

/** Finds an order that ends with `first`, as in `newest authors first` and `most issues first`, but begins earlier. */
function leadingOrder(words: readonly string[], at: number, slots: readonly Slot[]): RegExp | undefined {
  const previous = slots.at(-1);
  if (previous?.kind === 'order' && at - previous.end <= 3) return previous.values;
  const isMost = words.slice(Math.max(0, at - 4), at).some((word) => MOST_WORDS.includes(word));
  return isMost ? MOST_FIRST : undefined;
}

const MOST_WORDS = ['most', 'highest', 'largest', 'biggest', 'busiest'];
const MOST_FIRST = /^(?!.*_at)(?!login|name).*-desc$/;
const TOP_WORDS = ['top', 'best', 'first', 'limit', 'leading', 'biggest', 'largest', 'any'];
const ROW_WORDS = ['rows', 'results', 'entries', 'row', 'result'];
/** The last words of phrases that always mean an order, as in `newest first` and `newest on top`. */
const SORTED_LAST = ['first', 'top', 'oldest'];
/** The concepts that the rows of answers can represent. */
const LISTED = ['person', 'country', 'organization', 'repository', 'collection'];

/**
 * Whether the order is about people, as in `newest issue creators`. For `who opened the newest issue`, sorting people by their first issue
 * would be a wrong answer.
 */
function isOfPeople(words: readonly string[], meanings: readonly Meaning[], start: number, end: number): boolean {
  if (end - start > 1 && SORTED_LAST.includes(words[end - 1] ?? '')) return true;
  if (words.slice(end, end + 5).includes('first')) return true;
  const isSorted = words
    .slice(Math.max(0, start - 2), start)
    .some((word) => ['by', 'sorted', 'ordered', 'sort', 'order'].includes(word));
  return isSorted || headNoun(meanings, end, ADJECTIVES).includes('person');
}

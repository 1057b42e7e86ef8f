import type { EnumValue } from '../language/lexicon.js';
import { PhraseMap, toWords } from '../language/phrase-list.js';
import type { Vocabulary } from '../language/vocabulary.js';
import { readUnit } from './points.js';
import type { Slot, TimeUnit } from './slot.js';

/** Finds the words for intervals: `weekly`, `per month`, `by day`. */
export function readIntervals(words: readonly string[]): Slot[] {
  return words.flatMap((word, index): Slot[] => {
    const adverb = ADVERBS[word];
    if (adverb !== undefined) return [{ kind: 'interval', unit: adverb, start: index, end: index + 1 }];
    const unit = readUnit(words[index + 1]);
    const isBefore = ['per', 'by', 'each', 'every', 'a'].includes(word);
    if (unit !== undefined && isBefore && word !== 'a' && (words[index + 1] === unit || word === 'by')) {
      return [{ kind: 'interval', unit, start: index, end: index + 2 }];
    }
    const isRepeated = ['by', 'over', 'after', 'to'].includes(words[index + 1] ?? '') && words[index + 2] === word;
    const repeated = isRepeated ? readUnit(word) : undefined;
    return repeated === undefined ? [] : [{ kind: 'interval', unit: repeated, start: index, end: index + 3 }];
  });
}

const ADVERBS: Readonly<Record<string, TimeUnit>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annually: 'year',
  annual: 'year',
};

/** Finds the words that include or exclude rows: `including bots`, `without unknown countries`. */
export type ReadSwitches = (words: readonly string[]) => Slot[];

export function createSwitchReader({ excluded_rows: excluded }: Vocabulary): ReadSwitches {
  const rows = new PhraseMap<string>();
  const others = new PhraseMap<string>();
  for (const [name, phrases] of Object.entries(excluded)) {
    for (const phrase of toWords(phrases.rows)) rows.set(phrase, name);
    for (const phrase of toWords(phrases.others)) others.set(phrase, name);
  }
  return (words) =>
    words.flatMap((_, index): Slot[] => {
      const only = others.longest(words, index);
      if (only !== undefined)
        return [{ kind: 'switch', rows: only.value, isExcluded: true, start: index, end: only.end }];
      const named = rows.longest(words, index);
      if (named === undefined) return [];
      const [before, after] = [findBefore(words, index), findAfter(words, named.end)];
      const found = before ?? after;
      if (found === undefined) return [];
      // `with bots included` has words for the same on both sides.
      const last = after?.isExcluded === found.isExcluded ? after.end : found.end;
      const [start, end] = [Math.min(index, found.start), Math.max(named.end, last)];
      return [{ kind: 'switch', rows: named.value, isExcluded: found.isExcluded, start, end }];
    });
}

/** Creates a function that finds enum values in a question, such as `C++` or `emacs lisp`. `otherNames` are names by value. */
export function createValueReader(
  values: readonly EnumValue[],
  otherNames: Vocabulary['values'],
): (words: readonly string[]) => Slot[] {
  const names = new PhraseMap<EnumValue[]>();
  for (const one of values) {
    const own = one.isExact ? [one.value.toLowerCase()] : one.value.toLowerCase().split(/\s+/);
    const phrases = [own, ...toWords(otherNames[one.value] ?? [])];
    for (const phrase of phrases) names.set(phrase, [...(names.get(phrase) ?? []), one]);
  }
  return (words) =>
    words.flatMap((_, start) => {
      const found = names.longest(words, start);
      return (found?.value ?? []).map(
        ({ parameter, value }): Slot => ({ kind: 'value', parameter, value, start, end: found?.end ?? start }),
      );
    });
}

/** Words before the name of some rows. */
const INCLUDING =
  'also, and also, even, also show, also list, show also, keep in, including, include, includes, included, with, also count, count also, incl, plus, together with, as well as, counting, keep, along with, also include';
/** Words that exclude rows; after a negation they include them. */
const EXCLUDING =
  "excluding, hide, hiding, leave, dropping, remove, removing, filter, filtering out, suppress, exclude, excludes, excluded, without, no, ignoring, ignore, not counting, not including, except, except for, leave out, leaving out, skip, skipping, omit, omitting, filter out, do not include, don't include, other than, minus, drop, that are not, who are not";
/** Words before `EXCLUDING`, as in `do not leave out`. */
const NEGATIONS = "do not, don't, dont, not, without, never, please do not, please don't, rather than, instead of";

const SWITCHES = new PhraseMap<boolean>();
for (const phrase of toWords(INCLUDING.split(','))) SWITCHES.set(phrase, false);
for (const phrase of toWords(EXCLUDING.split(','))) {
  SWITCHES.set(phrase, true);
  for (const negation of toWords(NEGATIONS.split(','))) SWITCHES.set([...negation, ...phrase], false);
}

interface FoundSwitch {
  readonly isExcluded: boolean;
  readonly start: number;
  readonly end: number;
}

const BETWEEN = ['the', 'also', 'all', 'those', 'people', 'users', 'with', 'from', 'of', 'an', 'and', 'any'];
const MAX_PHRASE = 7;

/** Finds words such as `including` before the name of some rows. Words such as `the` and `with` may be in between. */
function findBefore(words: readonly string[], index: number): FoundSwitch | undefined {
  for (let start = Math.max(0, index - MAX_PHRASE); start < index; start += 1) {
    const found = SWITCHES.longest(words, start);
    if (found === undefined || found.end > index) continue;
    if (words.slice(found.end, index).every((word) => BETWEEN.includes(word))) {
      return { isExcluded: found.value, start, end: index };
    }
  }
  return undefined;
}

/** Finds `included`, `too` or `yes` after the name of some rows. */
function findAfter(words: readonly string[], end: number): FoundSwitch | undefined {
  const skipped = ['are', 'is', 'should', 'must', 'be'].includes(words[end] ?? '')
    ? words[end + 1] === 'be'
      ? 2
      : 1
    : 0;
  const word = words[end + skipped] ?? '';
  const isExcluded = AFTER[word];
  return isExcluded === undefined ? undefined : { isExcluded, start: end, end: end + skipped + 1 };
}

const AFTER: Readonly<Record<string, boolean>> = {
  included: false,
  allowed: false,
  visible: false,
  too: false,
  also: false,
  yes: false,
  true: false,
  on: false,
  counted: false,
  excluded: true,
  omitted: true,
  ignored: true,
  removed: true,
  no: true,
  off: true,
  false: true,
};

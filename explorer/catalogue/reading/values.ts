import type { EnumValue } from '../language/lexicon.js';
import { PhraseMap, readPhrases } from '../language/phrase-list.js';
import { EXCLUDED_ROWS, EXCLUDING, INCLUDING, NEGATIONS, ONLY_KNOWN, VALUE_NAMES } from '../language/vocabulary.js';
import { readUnit } from './points.js';
import type { Slot, TimeUnit } from './slot.js';

/** Finds the words for intervals: `weekly`, `per month`, `by day`. */
export function readIntervals(words: readonly string[]): Slot[] {
  return words.flatMap((word, index): Slot[] => {
    const adverb = ADVERBS[word];
    if (adverb !== undefined) return [{ kind: 'interval', unit: adverb, start: index, end: index + 1 }];
    const unit = readUnit(words[index + 1]);
    const isBefore = ['per', 'by', 'each', 'every', 'a'].includes(word);
    if (unit !== undefined && isBefore && word !== 'a' && words[index + 1] === unit) {
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
export function readSwitches(words: readonly string[]): Slot[] {
  return words.flatMap((_, index): Slot[] => {
    const only = ONLY.longest(words, index);
    if (only !== undefined)
      return [{ kind: 'switch', rows: only.value, isExcluded: true, start: index, end: only.end }];
    const rows = ROWS.longest(words, index);
    if (rows === undefined) return [];
    const before = findBefore(words, index);
    const after = findAfter(words, rows.end);
    const found = before ?? after;
    return found === undefined
      ? []
      : [
          {
            kind: 'switch',
            rows: rows.value,
            isExcluded: found.isExcluded,
            start: Math.min(index, found.start),
            end: Math.max(rows.end, found.end),
          },
        ];
  });
}

/** Creates a function that finds enum values in a question, such as `C++` or `emacs lisp`. */
export function createValueReader(values: readonly EnumValue[]): (words: readonly string[]) => Slot[] {
  const names = new PhraseMap<EnumValue[]>();
  for (const one of values) {
    const own = one.isExact ? [one.value.toLowerCase()] : one.value.toLowerCase().split(/\s+/);
    const phrases = [own, ...readPhrases(VALUE_NAMES[one.value] ?? '')];
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

const ROWS = new PhraseMap<string>();
for (const [rows, text] of Object.entries(EXCLUDED_ROWS))
  for (const phrase of readPhrases(text)) ROWS.set(phrase, rows);
const ONLY = new PhraseMap<string>();
for (const [rows, text] of Object.entries(ONLY_KNOWN)) for (const phrase of readPhrases(text)) ONLY.set(phrase, rows);
const SWITCHES = new PhraseMap<boolean>();
for (const phrase of readPhrases(INCLUDING)) SWITCHES.set(phrase, false);
for (const phrase of readPhrases(EXCLUDING)) {
  SWITCHES.set(phrase, true);
  for (const negation of readPhrases(NEGATIONS)) SWITCHES.set([...negation, ...phrase], false);
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

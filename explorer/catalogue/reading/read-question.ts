import type { QuestionContext } from '../../answers/proposal.js';
import type { Lexicon } from '../language/lexicon.js';
import type { Spelling } from '../language/spelling.js';
import { readTokens, type Token } from '../language/text.js';
import type { Vocabulary } from '../language/vocabulary.js';
import type { CollectionReader } from './collections.js';
import type { FindNames } from './find-names.js';
import { DATE_WORDS } from './points.js';
import { readRanges } from './ranges.js';
import { readAccounts, readRepositories } from './repositories.js';
import { type ReadOrders, readNumbers } from './rows.js';
import type { Slot } from './slot.js';
import { type ReadSwitches, readIntervals } from './values.js';

/** A question with the values that were found in it. */
export interface QuestionReading {
  readonly words: readonly string[];
  /** The words as the user wrote them. */
  readonly texts: readonly string[];
  readonly slots: readonly Slot[];
  readonly corrections: readonly (readonly [written: string, meant: string])[];
}

export interface ReadingParts {
  readonly lexicon: Lexicon;
  readonly spelling: Spelling;
  readonly collections: CollectionReader;
  readonly readValues: (words: readonly string[]) => Slot[];
  readonly readOrders: ReadOrders;
  readonly readSwitches: ReadSwitches;
  readonly states: Vocabulary['states'];
  readonly find: FindNames;
}

export interface ReadingOptions {
  /** `YYYY-MM-DD` */
  readonly today: string;
  readonly context: QuestionContext | undefined;
  readonly signal: AbortSignal;
}

/** Finds the values of parameters in a question. Throws `EngineError` if the database fails. */
export async function readQuestion(
  question: string,
  parts: ReadingParts,
  { today, context, signal }: ReadingOptions,
): Promise<QuestionReading> {
  const { lexicon, spelling, collections, find } = parts;
  const written = readTokens(question, (word) => isSeparate(word, lexicon, collections));
  const tokens = written.map((token) => correct(token, spelling));
  const words = markStates(
    tokens.map(({ word }) => word),
    lexicon,
    parts.states,
  );
  const meanings = lexicon.explain(words);
  const ranges = readRanges(words, today);
  const isInRange = (at: number) => ranges.some(({ start, end }) => at >= start && at < end);
  const others = [
    ...parts.readSwitches(words),
    ...parts.readOrders(words, meanings),
    ...readIntervals(words),
    ...collections.read(words),
    ...readNumbers(words, meanings, isInRange),
    ...parts.readValues(words),
  ];
  const explained = new Set([...ranges, ...others].flatMap(indexesOf));
  const unknown = new Set(meanings.filter((one) => one.concepts.length === 0 && !one.isFiller).flatMap(indexesOf));
  const isUnknown = (at: number) => unknown.has(at) && !explained.has(at);
  const names = { tokens, isUnknown, isWord: (word: string) => lexicon.isWord(word), signal };
  const repositories = await readRepositories(find.repositories, names);
  const inNames = new Set(repositories.flatMap(indexesOf));
  const accounts = await readAccounts(find.account, { ...names, isUnknown: (at) => isUnknown(at) && !inNames.has(at) });
  const fromContext =
    repositories.length === 0 && accounts.length === 0 && context !== undefined ? [contextSlot(context)] : [];
  return {
    words,
    texts: written.map(({ text }) => text),
    slots: [...repositories, ...fromContext, ...accounts, ...ranges, ...others],
    corrections: written.flatMap(({ word }, at) => {
      const meant = tokens[at]?.word ?? word;
      return meant === word ? [] : [[word, meant] as const];
    }),
  };
}

/** Whether a word in a hyphenated word is a separate word, as in `month-by-month` and `last-28-days`. */
function isSeparate(word: string, lexicon: Lexicon, collections: CollectionReader): boolean {
  return lexicon.isWord(word) || collections.words.has(word) || DATE_WORDS.includes(word) || /^\d{1,4}$/.test(word);
}

function correct(token: Token, spelling: Spelling): Token {
  const meant = spelling.correct(token.word);
  return meant === undefined ? token : { ...token, word: meant };
}

function indexesOf({ start, end }: { readonly start: number; readonly end: number }): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

/** Returns the slot for the repository that the caller specified. The slot has no words in the question. */
function contextSlot({ repoName }: QuestionContext): Slot {
  const at = repoName.indexOf('/');
  const [owner, name] = [repoName.slice(0, at), repoName.slice(at + 1)];
  return { kind: 'repository', owner, name, others: [], isGuessed: false, isKnown: true, start: -1, end: -1 };
}

/**
 * Marks words that are a state and not an action: `open` in `open issues of …`, but not in `people who open issues`. A marked word has no
 * meaning, so that definitions about the action do not match the question.
 */
function markStates(words: readonly string[], lexicon: Lexicon, states: Vocabulary['states']): string[] {
  const conceptsAt = (index: number) => lexicon.explain(words.slice(index, index + 2)).at(0)?.concepts ?? [];
  return words.map((word, index) => {
    const isState =
      states.words.includes(word) &&
      (states.after.includes(words[index - 1] ?? '') ||
        (conceptsAt(index + 1).some((concept) => states.things.includes(concept)) &&
          !conceptsAt(index - 1).some((concept) => states.actors.includes(concept)) &&
          !states.before.includes(words[index - 1] ?? '')));
    return isState ? `${word} (state)` : word;
  });
}

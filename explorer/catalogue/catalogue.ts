import { cancelledError, type Database, type Endpoint } from '../../engine/index.js';
import type { Answerer, DefinitionProposal, ProposeOptions } from '../answers/proposal.js';
import { QuestionError } from '../questions/error-types.js';
import { MAX_QUESTION_LENGTH } from '../questions/question-text.js';
import { createIsKnown, type Lexicon } from './language/lexicon.js';
import { withoutPreamble } from './language/preamble.js';
import { Spelling } from './language/spelling.js';
import { cleanQuestion } from './language/text.js';
import type { Vocabulary } from './language/vocabulary.js';
import { type CatalogueIndex, createCatalogueIndex } from './matching/catalogue-index.js';
import { isMatch, type Match, matchEntries, type NearMatch } from './matching/match.js';
import { type CatalogueNames, createNamesLoader } from './reading/catalogue-names.js';
import { CollectionReader } from './reading/collections.js';
import { dayOf } from './reading/days.js';
import { createFindNames } from './reading/find-names.js';
import { DATE_WORDS, readNumber } from './reading/points.js';
import { type QuestionReading, type ReadingParts, readQuestion } from './reading/read-question.js';
import { createOrderReader } from './reading/rows.js';
import { createSwitchReader, createValueReader } from './reading/values.js';
import { explainDecline } from './wording/declines.js';
import { suggest } from './wording/suggestions.js';
import { writeProposal } from './wording/write-proposal.js';

/** Answers questions with definitions, without a model. */
export interface Catalogue extends Answerer {
  propose(question: string, options: ProposeOptions): Promise<DefinitionProposal>;
  /** Returns up to `count` questions about popular repositories and collections that `propose` can answer. */
  suggestQuestions(count: number): Promise<string[]>;
}

export interface CatalogueParts {
  readonly endpoints: readonly Endpoint[];
  readonly database: Database;
  readonly vocabulary: Vocabulary;
}

/** Creates the catalogue of all definitions that have `questions`. Its methods throw `EngineError` if the database fails. */
export function createCatalogue({ endpoints, database, vocabulary }: CatalogueParts): Catalogue {
  const index = createCatalogueIndex(endpoints, vocabulary);
  const loadNames = createNamesLoader(database);
  const readValues = createValueReader(index.enumValues, vocabulary.values);
  const find = createFindNames(database);
  const isKnownWord = createIsKnown(index.lexicon, vocabulary, index.enumValues);
  const [readOrders, readSwitches] = [createOrderReader(vocabulary), createSwitchReader(vocabulary)];
  const orderWords = vocabulary.orders.flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.split(' ')));
  const loaded = new Refreshed(async () => {
    const names = await loadNames();
    const collections = new CollectionReader(names.collections);
    const isKnown = (word: string) => isKnownWord(word) || index.lexicon.isWord(word) || readNumber(word) !== undefined;
    const words = [...index.lexicon.words(), ...collections.words, ...DATE_WORDS, ...orderWords];
    const spelling = new Spelling(words, isKnown);
    return {
      names,
      reading: {
        ...{ lexicon: index.lexicon, spelling, collections, readValues, readOrders, readSwitches, find },
        states: vocabulary.states,
      } satisfies ReadingParts,
    };
  }, NAMES_MAX_AGE_MS);
  return {
    propose: async (question, { context, now, signal }) => {
      const text = requireLength(question, index.lexicon);
      if (signal.aborted) throw cancelledError();
      const { names, reading } = await loaded.get();
      const read = await readQuestion(text, reading, { today: dayOf(now), context, signal });
      const match = requireOne(matchEntries(index.entries, read, index.lexicon), read, index, names);
      return writeProposal(match, read, index.entries, names);
    },
    suggestQuestions: async (count) => suggest(index.entries, (await loaded.get()).names, count),
  };
}

const NAMES_MAX_AGE_MS = 60_000;
/** Two definitions are equally good matches if their scores differ by less than this. */
const MARGIN = 0.5;

function requireLength(question: string, lexicon: Lexicon): string {
  const { length } = [...question];
  if (length > MAX_QUESTION_LENGTH) {
    const message = `The question has ${length} characters; at most ${MAX_QUESTION_LENGTH} are allowed.`;
    throw new QuestionError('error-question-too-long', message);
  }
  return withoutPreamble(cleanQuestion(question), (word) => lexicon.restricts(word));
}

/** Returns the best match. Throws `QuestionError` if no definition matches, or if several match equally well. */
function requireOne(
  results: readonly (Match | NearMatch)[],
  reading: QuestionReading,
  { entries, similar }: CatalogueIndex,
  names: CatalogueNames,
): Match {
  const matches = results.filter(isMatch).sort((one, other) => other.score - one.score);
  const [best, second] = matches;
  if (best !== undefined && (second === undefined || best.score - second.score >= MARGIN)) return best;
  const equal = matches.filter(({ score }) => best !== undefined && best.score - score < MARGIN);
  const near = results.filter((result): result is NearMatch => !isMatch(result));
  throw explainDecline({ equal, near, reading, entries, names, similar: similar(reading.words) });
}

/** A cached value that is loaded on first use, and again when it is too old. Concurrent callers share one load. */
class Refreshed<Value> {
  readonly #load: () => Promise<Value>;
  readonly #maxAgeMs: number;
  #loading: Promise<Value> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(load: () => Promise<Value>, maxAgeMs: number) {
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Returns the value. Rejects with the error of the load; the next call then loads again. */
  get(): Promise<Value> {
    if (this.#loading === undefined || performance.now() - this.#loadedAt > this.#maxAgeMs) {
      this.#loadedAt = performance.now();
      const loading = this.#load();
      this.#loading = loading;
      loading.catch(() => {
        if (this.#loading === loading) this.#loading = undefined;
      });
    }
    return this.#loading;
  }
}

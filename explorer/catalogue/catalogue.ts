import type { Database, Endpoint } from '../../engine/index.js';
import type { Answerer, DefinitionProposal, ProposeOptions } from '../answers/proposal.js';
import { QuestionError } from '../questions/error-types.js';
import { createFindRepositories } from './data/find-repositories.js';
import { type CatalogueNames, createNamesLoader } from './data/names.js';
import { Refreshed } from './data/refreshed.js';
import { type CatalogueEntry, createCatalogueIndex } from './matching/catalogue-index.js';
import { knownWords } from './matching/lexicon.js';
import { isMatch, type Match, matchEntry, type NearMatch } from './matching/match.js';
import { Spelling } from './matching/spelling.js';
import { CollectionReader } from './reading/collections.js';
import { dayOf } from './reading/days.js';
import { DATE_WORDS } from './reading/points.js';
import { type QuestionReading, type ReadingParts, readQuestion } from './reading/read-question.js';
import { createValueReader } from './reading/values.js';
import { suggest } from './suggestions.js';
import { cleanQuestion } from './text.js';
import { explainDecline } from './wording/declines.js';
import { writeProposal } from './wording/write-proposal.js';

export const MAX_QUESTION_LENGTH = 512;

/** Answers questions with definitions, without a model. */
export interface Catalogue extends Answerer {
  propose(question: string, options: ProposeOptions): Promise<DefinitionProposal>;
  /** Returns up to `count` questions about popular repositories and collections that `propose` can answer. */
  suggestQuestions(count: number): Promise<string[]>;
}

export interface CatalogueParts {
  readonly endpoints: readonly Endpoint[];
  readonly database: Database;
}

/** Creates the catalogue of all definitions with `questions`. Its methods throw `EngineError` if the database fails. */
export function createCatalogue({ endpoints, database }: CatalogueParts): Catalogue {
  const index = createCatalogueIndex(endpoints);
  const loadNames = createNamesLoader(database);
  const readValues = createValueReader(index.enumValues);
  const findRepositories = createFindRepositories(database);
  const known = knownWords(index.enumValues);
  const loaded = new Refreshed(async () => {
    const names = await loadNames();
    const collections = new CollectionReader(names.collections);
    const spelling = new Spelling([...index.lexicon.words(), ...collections.words, ...DATE_WORDS], known);
    return { names, reading: { index, spelling, collections, readValues, findRepositories } satisfies ReadingParts };
  }, NAMES_MAX_AGE_MS);
  return {
    propose: async (question, { context, now, signal }) => {
      const text = requireLength(question);
      signal.throwIfAborted();
      const { names, reading } = await loaded.get();
      const read = await readQuestion(text, reading, { today: dayOf(now), context, signal });
      const results = index.entries.map((entry) => matchEntry(entry, read, index.lexicon));
      const match = requireOne(results, read, index.entries, names, index.similar(read.words));
      return writeProposal(match, read, index.entries, names);
    },
    suggestQuestions: async (count) => suggest(index.entries, (await loaded.get()).names, count),
  };
}

const NAMES_MAX_AGE_MS = 60_000;
/** Two definitions whose scores differ by less are equally good. */
const MARGIN = 0.5;

function requireLength(question: string): string {
  const { length } = [...question];
  if (length > MAX_QUESTION_LENGTH) {
    const message = `The question has ${length} characters; at most ${MAX_QUESTION_LENGTH} are allowed.`;
    throw new QuestionError('error-question-too-long', message);
  }
  return cleanQuestion(question);
}

/** Returns the best match. Throws `QuestionError` if no definition matches, or if several match equally well. */
function requireOne(
  results: readonly (Match | NearMatch | undefined)[],
  reading: QuestionReading,
  entries: readonly CatalogueEntry[],
  names: CatalogueNames,
  similar: readonly CatalogueEntry[],
): Match {
  const matches = results.filter(isMatch).sort((one, other) => other.score - one.score);
  const [best, second] = matches;
  if (best !== undefined && (second === undefined || best.score - second.score >= MARGIN)) return best;
  const equal = matches.filter(({ score }) => best !== undefined && best.score - score < MARGIN);
  const near = results.filter((result) => result !== undefined).filter((result) => !isMatch(result));
  throw explainDecline({ equal, near: near as readonly NearMatch[], reading, entries, names, similar });
}

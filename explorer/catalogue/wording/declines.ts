import { QuestionError } from '../../questions/error-types.js';
import type { CatalogueEntry } from '../matching/catalogue-index.js';
import type { Match, NearMatch } from '../matching/match.js';
import type { CatalogueNames } from '../reading/catalogue-names.js';
import type { QuestionReading } from '../reading/read-question.js';
import { type Entities, entitiesAt, questionsOf, suggest } from './suggestions.js';

export interface Decline {
  /** Definitions that match equally well. */
  readonly equal: readonly Match[];
  readonly near: readonly NearMatch[];
  readonly reading: QuestionReading;
  readonly entries: readonly CatalogueEntry[];
  readonly names: CatalogueNames;
  /** The definitions whose texts are most similar to the question. */
  readonly similar: readonly CatalogueEntry[];
}

/** Creates the error for a question that no definition answers: the reason, and similar questions that can be answered. */
export function explainDecline(decline: Decline): QuestionError {
  const { message, entries } = reasonFor(decline);
  const { names, reading } = decline;
  const entities = { ...entitiesAt(0, names), ...entitiesOf(reading) };
  const questions = entries.flatMap((entry) => questionsOf(entry, entities, names).slice(0, 1));
  const recommendedQuestions = [...new Set([...questions, ...suggest(decline.entries, names, MAX_QUESTIONS)])];
  return new QuestionError('error-sql-can-not-answer', message, {
    recommendedQuestions: recommendedQuestions.slice(0, MAX_QUESTIONS),
  });
}

const MAX_QUESTIONS = 4;

function reasonFor({ equal, near, similar, reading }: Decline): { message: string; entries: CatalogueEntry[] } {
  const others = [...similar];
  if (equal.length > 1) {
    const entries = equal.map(({ entry }) => entry);
    return { message: 'The question has several possible meanings. Ask one of the recommended questions.', entries };
  }
  const [best] = [...near].sort((one, other) => lacks(one) - lacks(other));
  if (best === undefined) {
    return { message: 'No definition answers this question.', entries: others };
  }
  const entries = [best.entry, ...others.filter((entry) => entry !== best.entry)];
  if (best.unexplained.length > 0) {
    const words = [...new Set(best.unexplained)].slice(0, MAX_WORDS).map((word) => `"${word.slice(0, MAX_WORD)}"`);
    return { message: `No definition answers this question: none of them explains ${words.join(', ')}.`, entries };
  }
  const isAmbiguous = reading.slots.filter(({ kind }) => kind === 'repository').length > 1;
  const hint = isAmbiguous ? ' The question must name exactly one.' : '';
  return { message: `The question does not contain a value for ${nameMissing(best.missing)}.${hint}`, entries };
}

const MAX_WORDS = 5;
const MAX_WORD = 40;

function lacks({ missing, unexplained, pattern }: NearMatch): number {
  return unexplained.length * 2 + missing.length - pattern.required.size / 10;
}

function nameMissing(missing: readonly string[]): string {
  if (missing.includes('owner') && missing.includes('repo')) return 'the repository (owner/name)';
  return missing.map((name) => MISSING_NAMES[name] ?? name).join(', ');
}

const MISSING_NAMES: Readonly<Record<string, string>> = {
  collection_id: 'the collection',
  login: 'the login of a person',
  owner: 'the owner',
  repos: 'at least two repositories (owner/name)',
};

/** Returns the names in the question, for use in the recommended questions. */
function entitiesOf({ slots }: QuestionReading): Entities {
  const repository = slots.find((slot) => slot.kind === 'repository');
  const collection = slots.find((slot) => slot.kind === 'collection');
  const account = slots.find((slot) => slot.kind === 'account');
  return {
    ...(repository?.kind === 'repository' && { owner: repository.owner, repo: repository.name }),
    ...(collection?.kind === 'collection' && { collection_id: String(collection.id) }),
    ...(account?.kind === 'account' && { login: account.login }),
  };
}

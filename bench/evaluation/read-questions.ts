import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { PACKAGE_ROOT } from '../../engine/http/package-root.js';
import { type Endpoint, EngineError, formatProblem, type Problem } from '../../engine/index.js';
import type { ChosenDefinition } from '../../explorer/questions/question.js';
import { type LocatedValue, readLocated, schemaProblem } from '../../warehouse/located-list.js';
import {
  type EvaluationQuestion,
  type Group,
  QUESTION_SETS,
  type QuestionSetName,
  type SqlQuestion,
} from './evaluation-question.js';

/** Thrown for invalid questions. The message lists every problem with file, line and column. */
export class QuestionSetError extends Error {
  override readonly name = 'QuestionSetError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
  }
}

/** A file with questions. */
export interface QuestionFile {
  readonly set: QuestionSetName;
  /** The path, for messages. */
  readonly file: string;
  readonly text: string;
}

/** Reads the files of the sets from the repository. */
export function questionFiles(sets: readonly QuestionSetName[] = QUESTION_SETS): QuestionFile[] {
  return sets.map((set) => {
    const file = `bench/evaluation/questions/${set}.yaml`;
    return { set, file, text: readFileSync(`${PACKAGE_ROOT}${file}`, 'utf8') };
  });
}

/**
 * Reads questions and checks them against the schema and the definitions. Ids and questions must be unique in all
 * files. Throws `QuestionSetError` with all problems.
 */
export function readQuestions(files: readonly QuestionFile[], endpoints: readonly Endpoint[]): EvaluationQuestion[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const questions = files.flatMap((file) => {
    const located = readLocated(file.file, file.text);
    if (!('value' in located)) {
      problems.push(located);
      return [];
    }
    const entries = located.value;
    if (!isEntries(entries)) {
      problems.push(...(isEntries.errors ?? []).map((error) => entryProblem(located, error)));
      return [];
    }
    problems.push(...findDuplicates(located, entries, seen), ...findContradictions(located, entries, endpoints));
    return entries.map((entry) => toQuestion(file.set, entry));
  });
  if (problems.length > 0) throw new QuestionSetError(problems);
  return questions;
}

/** One entry of a file, as the schema defines it. */
type Entry = { readonly id: string; readonly question: string } & (
  | ({ readonly group: 'definition'; readonly accept?: readonly Choice[] } & Choice & { readonly definition: string })
  | ({ readonly group: 'sql'; readonly sql: string; readonly accept?: readonly string[] } & Pick<
      SqlQuestion,
      'columns'
    > & {
        readonly order?: string;
      })
  | { readonly group: 'none'; readonly reason: string }
);

interface Choice {
  readonly definition?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

const isEntries = new Ajv({ allErrors: true, verbose: true, discriminator: true }).compile<readonly Entry[]>(
  JSON.parse(readFileSync(`${PACKAGE_ROOT}schemas/evaluation.schema.json`, 'utf8')),
);

function entryProblem(located: LocatedValue, error: ErrorObject): Problem {
  if (error.keyword === 'discriminator') {
    const groups: readonly Group[] = ['definition', 'sql', 'none'];
    return located.problem(`${error.instancePath}/group`, 'invalid value', { expected: `one of ${groups.join(', ')}` });
  }
  if (error.keyword === 'pattern') {
    return located.problem(error.instancePath, 'invalid value', { expected: `text that matches ${error.schema}` });
  }
  return schemaProblem(located, error);
}

function findDuplicates(located: LocatedValue, entries: readonly Entry[], seen: Set<string>): Problem[] {
  return entries.flatMap((entry, index) =>
    (['id', 'question'] as const).flatMap((key) => {
      const folded = `${key} ${entry[key].toLowerCase().replaceAll(/\s+/g, ' ').trim()}`;
      if (!seen.has(folded)) {
        seen.add(folded);
        return [];
      }
      return [located.problem(`/${index}/${key}`, `an earlier entry already has the ${key} "${entry[key]}"`)];
    }),
  );
}

function findContradictions(
  located: LocatedValue,
  entries: readonly Entry[],
  endpoints: readonly Endpoint[],
): Problem[] {
  return entries.flatMap((entry, index) => {
    if (entry.group === 'sql') return findUnknownOrder(located, entry, `/${index}`);
    if (entry.group === 'none') return [];
    const places = [`/${index}`, ...(entry.accept ?? []).map((_, place) => `/${index}/accept/${place}`)];
    return acceptedBy(entry).flatMap((chosen, place) =>
      findWrongChoice(located, chosen, places[place] ?? '', endpoints),
    );
  });
}

function findUnknownOrder(located: LocatedValue, entry: Entry & { group: 'sql' }, place: string): Problem[] {
  const { order, columns } = entry;
  if (order === undefined || columns.includes(order)) return [];
  return [located.problem(`${place}/order`, 'invalid value', { expected: `one of ${columns.join(', ')}`, got: order })];
}

function findWrongChoice(
  located: LocatedValue,
  { name, parameters }: ChosenDefinition,
  place: string,
  endpoints: readonly Endpoint[],
): Problem[] {
  const endpoint = endpoints.find(({ definition }) => definition.name === name);
  if (endpoint === undefined) return [located.problem(`${place}/definition`, `unknown definition ${name}`)];
  try {
    const values = endpoint.readParameters({ path: {}, query: parameters });
    return Object.keys(parameters)
      .filter((key) => values[key] === endpoint.parameters[key]?.default)
      .map((key) => located.problem(`${place}/parameters/${key}`, `${key} has its default value: remove it`));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return [located.problem(`${place}/parameters`, error.message)];
  }
}

function toQuestion(set: QuestionSetName, entry: Entry): EvaluationQuestion {
  const { id, question } = entry;
  switch (entry.group) {
    case 'definition':
      return { id, set, question, group: 'definition', accepted: acceptedBy(entry) };
    case 'sql':
      return {
        ...{ id, set, question, group: 'sql' },
        queries: [entry.sql, ...(entry.accept ?? [])],
        columns: entry.columns,
        order: entry.order,
      };
    case 'none':
      return { id, set, question, group: 'none', reason: entry.reason };
  }
}

function acceptedBy(entry: Entry & { group: 'definition' }): [ChosenDefinition, ...ChosenDefinition[]] {
  const choose = ({ definition = entry.definition, parameters = {} }: Choice) => ({ name: definition, parameters });
  return [choose(entry), ...(entry.accept ?? []).map(choose)];
}

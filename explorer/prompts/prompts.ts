import { listFunctions } from '../../sql/duckdb/translate.js';
import { MAX_ROWS, MAX_SQL_LENGTH } from '../../sql/guard/guard-sql.js';
import type { PublicTables } from '../../sql/guard/public-table.js';
import { rowFunctionNames } from '../../sql/guard/write-aggregate.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import { TEXT_LIMITS } from './clean-text.js';
import { writeData } from './data-text.js';
import type { SqlExample } from './definition-examples.js';
import { describeTables } from './describe-tables.js';
import { type PromptTexts, readPrompt } from './prompt-file.js';
import { createExampleSelection } from './select-examples.js';

export interface PromptParts {
  readonly tables: PublicTables;
  readonly reference: TableReferences;
  readonly examples: readonly SqlExample[];
}

export interface PromptOptions {
  /** The name of the repository that the question is about, if the caller states one. */
  readonly repoName?: string | undefined;
  readonly now: Date;
}

/** The prompts of the explorer. */
export interface Prompts {
  /** The version of each prompt, for example `answer 1`. */
  readonly versions: readonly string[];
  answer(question: string, options: PromptOptions): PromptTexts;
  /** `message` is the reason why `sql` was rejected. */
  repair(question: string, rejected: { sql: string; message: string }, options: PromptOptions): PromptTexts;
  /** `repositories` are the names that the questions may contain. */
  recommend(count: number, repositories: readonly string[], now: Date): PromptTexts;
}

/** Reads the prompt files. Texts of users, of models and of the data cannot leave their elements in the prompts. */
export function createPrompts({ tables, reference, examples }: PromptParts): Prompts {
  const [answer, repair, recommend] = [readPrompt('answer'), readPrompt('repair'), readPrompt('recommend')];
  const select = createExampleSelection(examples);
  const constants = { ...LIMITS, ...functionLists(), tables: describeTables(tables, reference) };
  const dataOf = (question: string, { repoName, now }: PromptOptions) => ({
    ...constants,
    today: dayOf(now),
    question: writeData(question.slice(0, MAX_QUESTION)),
    repository: writeData(repoName),
  });
  return {
    versions: [answer, repair, recommend].map(({ name, version }) => `${name} ${version}`),
    answer: (question, options) =>
      answer.render({ ...dataOf(question, options), examples: select(question, options.now, ANSWER_EXAMPLES) }),
    repair: (question, { sql, message }, options) =>
      repair.render({
        ...dataOf(question, options),
        examples: select(question, options.now, REPAIR_EXAMPLES),
        sql: writeData(sql.slice(0, MAX_SQL_LENGTH)),
        message: writeData(message.slice(0, MAX_MESSAGE)),
      }),
    recommend: (count, repositories, now) =>
      recommend.render({
        ...constants,
        today: dayOf(now),
        count,
        subjects: examples.map(({ summary }) => `- ${summary}`).join('\n'),
        repositories: writeData(repositories.slice(0, MAX_REPOSITORIES)),
      }),
  };
}

const LIMITS = {
  max_rows: MAX_ROWS,
  max_length: MAX_SQL_LENGTH,
  max_questions: TEXT_LIMITS.questions,
  max_question_length: TEXT_LIMITS.question,
  max_reason_length: TEXT_LIMITS.reason,
};
const ANSWER_EXAMPLES = { count: 3, characters: 3_500 };
/** A prompt for a repair has fewer examples, because the SQL already exists. */
const REPAIR_EXAMPLES = { count: 1, characters: 2_500 };
/** Twice the maximum length of a question, because each character can consist of two code units. */
const MAX_QUESTION = 1_024;
const MAX_MESSAGE = 1_000;
const MAX_REPOSITORIES = 20;

/** The functions that the guard allows, without those whose result depends on the time or is random. */
function functionLists() {
  const { aggregates, windows } = rowFunctionNames();
  const functions = listFunctions().filter((name) => !/^(CUR|CURRENT_|LOCALTIME|NOW|RAND$|SYSDATE|UTC_)/.test(name));
  return { functions: functions.join(', '), aggregates: [...aggregates, ...windows].join(', ') };
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

import { listFunctions } from '../../engine/sql/duckdb/translate.js';
import { MAX_ROWS, MAX_SQL_LENGTH } from '../../engine/sql/guard/guard-sql.js';
import type { PublicTables } from '../../engine/sql/guard/public-table.js';
import { rowFunctionNames } from '../../engine/sql/guard/write-aggregate.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import { INVISIBLE, TEXT_LIMITS } from './clean-text.js';
import { createExampleSelection, type SqlExample } from './definition-examples.js';
import { type PromptTexts, readPrompt } from './prompt-file.js';

export interface PromptParts {
  readonly tables: PublicTables;
  readonly reference: TableReferences;
  readonly examples: readonly SqlExample[];
}

export interface PromptOptions {
  /** The name of the repository that the question is about, if the caller specifies one. */
  readonly repoName?: string | undefined;
  readonly now: Date;
}

/** The prompts of the explorer. */
export interface Prompts {
  /** The version of each prompt, for example `answer 1`. */
  readonly versions: readonly string[];
  answer(question: string, options: PromptOptions): PromptTexts;
  /** Creates the prompt for the repair of rejected SQL. `message` is the reason for the rejection. */
  repair(question: string, rejected: { sql: string; message: string }, options: PromptOptions): PromptTexts;
  /** Creates the prompt for recommended questions. The recommended questions may contain the names in `repositories`. */
  recommend(count: number, repositories: readonly string[], now: Date): PromptTexts;
}

/** Reads the prompt files. Untrusted texts are escaped, so that they cannot leave their elements in the prompts. */
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
const ANSWER_EXAMPLES = { count: 3, characters: 3_300 };
/** A prompt for a repair has fewer examples, because the SQL already exists. */
const REPAIR_EXAMPLES = { count: 1, characters: 2_500 };
/** Twice the maximum length of a question, because each character can consist of two code units. */
const MAX_QUESTION = 1_024;
const MAX_MESSAGE = 1_000;
const MAX_REPOSITORIES = 20;

/**
 * Returns the functions that the guard allows, except encodings and angles, which no question needs, and those whose result is random or depends on
 * the current time.
 */
function functionLists() {
  const { aggregates, windows } = rowFunctionNames();
  const functions = listFunctions().filter((name) => !NOT_IN_PROMPTS.test(name));
  return { functions: functions.join(', '), aggregates: [...aggregates, ...windows].join(', ') };
}

const NOT_IN_PROMPTS =
  /^(CUR|CURRENT_|LOCALTIME|NOW|RAND$|SYSDATE|UTC_|BIN$|BIT_|CONV$|CRC32|OCT$|SHA|TO_BASE64|A?COS$|A?SIN$|A?TAN|COT$|DEGREES|RADIANS)/;

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Writes untrusted data for a prompt as JSON without `<`, `>`, `&` and line breaks. So the data cannot close the surrounding element or
 * look like another part of the prompt. Invisible characters are removed, because they can hide instructions from human readers.
 */
function writeData(value: string | readonly string[] | undefined): string {
  const visible = typeof value === 'object' ? value.map(removeInvisible) : value && removeInvisible(value);
  return JSON.stringify(visible ?? null).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, ' ');
}

/**
 * Describes the public tables and columns for a model, one line per column. Private tables and columns of the reference are omitted. Only
 * the name of a column is written if it has no description, or the same name and description as an earlier column. Lengths of types are
 * omitted, because queries do not need them.
 */
function describeTables(tables: PublicTables, reference: TableReferences): string {
  const described = new Set<string>();
  const describeColumn = (name: string, { type = '', description = '' } = {}) => {
    const title = `- ${name} ${type.replace(/\(.*\)/, '')}`.trim();
    const line = description === '' ? title : `${title}: ${description}`;
    const isRepeated = described.has(line);
    described.add(line);
    return isRepeated ? title : line;
  };
  const texts = [...tables].map(([name, { columns }]) => {
    const known = reference.get(name);
    const lines = columns.map((column) => describeColumn(column, known?.columns.get(column)));
    return [`### ${name}`, ...(known === undefined ? [] : [introduce(known)]), ...lines].join('\n');
  });
  return texts.join('\n\n');
}

function introduce({ grain, description }: TableReference): string {
  return grain === undefined ? description : `One row: ${grain}. ${description}`;
}

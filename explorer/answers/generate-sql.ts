import type { AnswerEngine, ChosenDefinition } from '../questions/question.js';
import { type PrepareParts, prepareAnswer } from './prepare-answer.js';
import type { ProposalTexts, ProposeOptions } from './proposal.js';

/** SQL for a question, which was not run. */
export interface GeneratedSql extends Pick<ProposalTexts, 'revisedTitle' | 'notClear' | 'assumption'> {
  readonly sql: string;
  readonly engine: AnswerEngine;
  /** The definition that the SQL comes from; null for SQL of a model. */
  readonly definition: ChosenDefinition | null;
}

/** Generates SQL for a question. It is valid: the guard accepted it and the database planned it. Throws `QuestionError`. */
export async function generateSql(
  parts: PrepareParts,
  question: string,
  options: ProposeOptions,
): Promise<GeneratedSql> {
  const { proposal, sql } = await prepareAnswer(parts, question, options);
  const { engine, revisedTitle, notClear, assumption } = proposal;
  const definition = proposal.engine === 'catalogue' ? proposal.definition : null;
  return { sql, engine, definition, revisedTitle, notClear, assumption };
}

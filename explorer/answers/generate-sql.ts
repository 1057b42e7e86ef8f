import { guardSql } from '../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { QuestionError } from '../questions/error-types.js';
import type { AnswerEngine, ChosenDefinition } from '../questions/question.js';
import { type PrepareParts, prepareAnswer } from './prepare-answer.js';
import type { ProposalTexts, ProposeOptions } from './proposal.js';

/** SQL for a question that was generated but not run. */
export interface GeneratedSql extends Pick<ProposalTexts, 'revisedTitle' | 'notClear' | 'assumption'> {
  readonly sql: string;
  readonly engine: AnswerEngine;
  /** The definition that the SQL comes from; null for SQL of a model. */
  readonly definition: ChosenDefinition | null;
}

/** Generates SQL that answers a question and that the playground accepts. Throws `QuestionError`. */
export async function generateSql(
  parts: PrepareParts,
  question: string,
  options: ProposeOptions,
): Promise<GeneratedSql> {
  const { proposal, sql } = await prepareAnswer(parts, question, options);
  const { engine, revisedTitle, notClear, assumption } = proposal;
  const definition = proposal.engine === 'catalogue' ? proposal.definition : null;
  if (definition !== null) requirePublic(sql, definition);
  return { sql, engine, definition, revisedTitle, notClear, assumption };
}

/** Rejects the SQL of a definition that reads private tables, because the playground would reject it. */
function requirePublic(sql: string, { name }: ChosenDefinition): void {
  try {
    guardSql(sql, PUBLIC_TABLES);
  } catch (error) {
    if (!(error instanceof SqlRejectedError)) throw error;
    const message = `The definition ${name} answers this question, but its SQL reads tables that are not public. Use /q/${name}.`;
    throw new QuestionError('error-sql-can-not-answer', message, { cause: error });
  }
}

import type { ModelAnswer } from '../model/model.js';
import type { ModelProposal } from '../prompts/answer-schema.js';
import { cleanCode, cleanText, TEXT_LIMITS } from '../prompts/clean-text.js';
import { QuestionError } from '../questions/error-types.js';
import type { SqlProposal } from './proposal.js';

/**
 * Reads the validated answer of a model to a question. All of its texts are untrusted: they are cleaned and truncated.
 * Throws `QuestionError` if the model cannot answer with SQL, or wrote none.
 */
export function readModelAnswer({ value, text }: ModelAnswer, question: string): SqlProposal {
  const proposal = value as ModelProposal;
  const recommendedQuestions = cleanQuestions(proposal.recommendedQuestions ?? [], TEXT_LIMITS.questions);
  if (!proposal.sqlCanAnswer) {
    const reason = cleanText(proposal.reason ?? '', TEXT_LIMITS.reason) || NO_REASON;
    throw new QuestionError('error-sql-can-not-answer', reason, { recommendedQuestions });
  }
  const sql = cleanCode(proposal.sql ?? '', TEXT_LIMITS.answer).trim();
  if (sql === '') {
    const message = 'The language model wrote no SQL for this question. Ask in other words.';
    throw new QuestionError('error-answer-parse', message, { recommendedQuestions });
  }
  const revisedTitle =
    cleanText(proposal.revisedTitle ?? '', TEXT_LIMITS.title) || cleanText(question, TEXT_LIMITS.title);
  return {
    engine: 'model',
    revisedTitle,
    notClear: cleanText(proposal.notClear ?? '', TEXT_LIMITS.remark),
    assumption: cleanText(proposal.assumption ?? '', TEXT_LIMITS.remark),
    combinedTitle: cleanText(proposal.combinedTitle ?? '', TEXT_LIMITS.remark) || revisedTitle,
    recommendedQuestions,
    sql,
    chart: cleanValue(proposal.chart ?? null, MAX_DEPTH),
    answer: cleanCode(text, TEXT_LIMITS.answer),
  };
}

/** Cleans questions of a model, and removes empty and repeated ones. */
export function cleanQuestions(questions: readonly string[], count: number): string[] {
  const found = new Map<string, string>();
  for (const question of questions.slice(0, MAX_READ)) {
    const text = cleanText(question, TEXT_LIMITS.question);
    const key = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (key !== '' && !found.has(key)) found.set(key, text);
  }
  return [...found.values()].slice(0, count);
}

const NO_REASON = 'The tables of this service cannot answer this question.';
const MAX_READ = 200;
/** Limits of a chart, whose form is not known here. */
const MAX_DEPTH = 3;
const MAX_MEMBERS = 50;

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, TEXT_LIMITS.question);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((item) => cleanValue(item, depth - 1));
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [cleanText(name, TEXT_LIMITS.question), cleanValue(member, depth - 1)]),
  );
}

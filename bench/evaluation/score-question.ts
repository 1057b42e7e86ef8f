import { type Endpoint, EngineError } from '../../engine/index.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import type { Answerer, Proposal, SqlProposal } from '../../explorer/answers/proposal.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';
import { QuestionError } from '../../explorer/questions/error-types.js';
import { equalsExpectation } from './compare-results.js';
import type { EngineName, EvaluationQuestion } from './evaluation-question.js';
import type { Execute, ExecutedResult } from './executor.js';
import { expectedResults } from './expected-results.js';
import { isSameDefinition } from './same-definition.js';

/**
 * `correct`: the correct answer, or a decline for the group `none`. `declined`: the answerer declined a question that has an answer.
 * `failed`: the user sees an error and no rows. `wrong`: the user sees rows that do not answer the question, which is the worst case.
 */
export const VERDICTS = ['correct', 'declined', 'failed', 'wrong'] as const;

export type Verdict = (typeof VERDICTS)[number];

export interface Score {
  readonly question: EvaluationQuestion;
  readonly verdict: Verdict;
  /** The proposal, or the reason why there was no proposal, for the list of mistakes. */
  readonly got: string;
  /** The time of the answerer in milliseconds, without running the query. */
  readonly ms: number;
}

export interface ScoringParts {
  readonly engine: EngineName;
  readonly answerer: Answerer;
  readonly execute: Execute;
  readonly endpoints: readonly Endpoint[];
  readonly now: Date;
  /** The time limit of one question. */
  readonly timeoutMs: number;
}

/** Asks one question and compares the answer. */
export async function scoreQuestion(question: EvaluationQuestion, parts: ScoringParts): Promise<Score> {
  const signal = AbortSignal.timeout(parts.timeoutMs);
  const started = performance.now();
  const asked = await ask(question.question, parts, signal);
  const ms = performance.now() - started;
  if (asked.proposal === undefined) {
    const isRight = asked.hasDeclined && question.group === 'none';
    return {
      question,
      verdict: isRight ? 'correct' : asked.hasDeclined ? 'declined' : 'failed',
      got: asked.reason,
      ms,
    };
  }
  const executed = await executeProposal(question.question, asked.proposal, parts, signal);
  const got = describeProposal(executed.proposal);
  if (executed.result === undefined) return { question, verdict: 'failed', got: `${got}: ${executed.reason}`, ms };
  const isCorrect = await isCorrectAnswer(question, executed.proposal, executed.result, parts);
  return { question, verdict: isCorrect ? 'correct' : 'wrong', got, ms };
}

const MAX_REASON = 300;

type Asked =
  | { readonly proposal: Proposal }
  | { readonly proposal?: undefined; readonly hasDeclined: boolean; readonly reason: string };

async function ask(question: string, { answerer, now }: ScoringParts, signal: AbortSignal): Promise<Asked> {
  try {
    return { proposal: await answerer.propose(question, { now, signal }) };
  } catch (error) {
    const hasDeclined = error instanceof QuestionError && error.type === 'error-sql-can-not-answer';
    return { hasDeclined, reason: describeError(error) };
  }
}

type Executed =
  | { readonly proposal: Proposal; readonly result: ExecutedResult }
  | { readonly proposal: Proposal; readonly result?: undefined; readonly reason: string };

/** Runs a proposal. As in the service, the answerer gets one chance to repair rejected SQL. */
async function executeProposal(
  question: string,
  proposal: Proposal,
  { answerer, execute, now }: ScoringParts,
  signal: AbortSignal,
): Promise<Executed> {
  const run = async (one: Proposal): Promise<Executed & { readonly cause?: unknown }> => {
    try {
      return { proposal: one, result: await execute(one, signal) };
    } catch (error) {
      return { proposal: one, reason: describeError(error), cause: error };
    }
  };
  const first = await run(proposal);
  if (first.result !== undefined || proposal.engine !== 'model' || answerer.repair === undefined) return first;
  if (!(first.cause instanceof SqlRejectedError || first.cause instanceof SqlFailedError)) return first;
  let repaired: SqlProposal;
  try {
    repaired = await answerer.repair(question, proposal, first.reason, { now, signal });
  } catch (error) {
    return { proposal, reason: describeError(error) };
  }
  return run(repaired);
}

async function isCorrectAnswer(
  question: EvaluationQuestion,
  proposal: Proposal,
  result: ExecutedResult,
  { engine, execute, endpoints, now, timeoutMs }: ScoringParts,
): Promise<boolean> {
  if (question.group === 'none') return false;
  if (question.group === 'definition' && proposal.engine === 'catalogue') {
    const { definition } = proposal;
    if (question.accepted.some((accepted) => isSameDefinition(accepted, definition, endpoints, now))) return true;
  }
  if (engine === 'catalogue') return false;
  // A separate time limit, because the answerer may have used most of the time for the question.
  const expectations = await expectedResults(question, execute, AbortSignal.timeout(timeoutMs));
  return expectations.some((expectation) => equalsExpectation(result, expectation));
}

function describeProposal(proposal: Proposal): string {
  if (proposal.engine === 'model') return proposal.sql;
  return describeDefinition(proposal.definition);
}

/** Returns, for example, `stargazers-history owner=a repo=b`. */
export function describeDefinition({
  name,
  parameters,
}: {
  name: string;
  parameters: Readonly<Record<string, string>>;
}) {
  return [name, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`)].join(' ');
}

function describeError(error: unknown): string {
  if (error instanceof QuestionError) return `${error.type}: ${error.message}`.slice(0, MAX_REASON);
  if (error instanceof EngineError) return `${error.code}: ${error.message}`.slice(0, MAX_REASON);
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_REASON);
}

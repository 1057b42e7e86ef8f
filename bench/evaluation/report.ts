import type { Evaluation } from './evaluate.js';
import {
  type EngineName,
  type EvaluationQuestion,
  GROUPS,
  type Group,
  QUESTION_SETS,
  type QuestionSetName,
} from './evaluation-question.js';
import { describeDefinition, type Score, VERDICTS, type Verdict } from './score-question.js';

/**
 * Targets for the catalogue: the share of correct answers in the group `definition`, and the maximum share of wrong answers in all groups.
 */
export const TARGETS = { correct: 0.85, wrong: 0.02 } as const;

/** The numbers of verdicts for some questions. `set` and `group` are `all` in totals. */
export interface ReportRow extends Readonly<Record<Verdict, number>> {
  readonly set: QuestionSetName | 'all';
  readonly group: Group | 'all';
  readonly questions: number;
  /** The shares of verdicts among the questions, from 0 to 1. */
  readonly correctShare: number;
  readonly wrongShare: number;
}

export interface Mistake {
  readonly id: string;
  readonly set: QuestionSetName;
  readonly group: Group;
  readonly question: string;
  readonly verdict: Verdict;
  readonly expected: string;
  readonly got: string;
}

export interface Report {
  readonly engine: EngineName;
  readonly rows: readonly ReportRow[];
  readonly mistakes: readonly Mistake[];
  /** Whether all questions together meet the targets; undefined for a model, which has no targets. */
  readonly meetsTargets: boolean | undefined;
  /** The sets whose questions meet the targets. */
  readonly setsWithinTargets: readonly QuestionSetName[];
  readonly tokens: number | undefined;
  /** The duration of the evaluation in seconds. */
  readonly seconds: number;
  /** The median time of the answerer per question, in milliseconds. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

export function createReport(engine: EngineName, { scores, ms, tokens }: Evaluation): Report {
  const sets = QUESTION_SETS.filter((set) => scores.some(({ question }) => question.set === set));
  const rows = [...sets, ...(sets.length > 1 ? (['all'] as const) : [])].flatMap((set) =>
    [...GROUPS, 'all' as const].map((group) => countVerdicts(scores, set, group)).filter((row) => row.questions > 0),
  );
  const durations = scores.map((score) => score.ms).sort((a, b) => a - b);
  return {
    engine,
    rows,
    mistakes: scores.filter((score) => isMistake(engine, score)).map(toMistake),
    meetsTargets: engine === 'catalogue' ? meetsTargets(scores) : undefined,
    setsWithinTargets: sets.filter((set) => meetsTargets(scores.filter(({ question }) => question.set === set))),
    tokens,
    seconds: ms / 1000,
    medianMs: durations[Math.floor(durations.length / 2)] ?? 0,
    slowestMs: durations.at(-1) ?? 0,
  };
}

function meetsTargets(scores: readonly Score[]): boolean {
  const answerable = scores.filter(({ question }) => question.group === 'definition');
  return shareOf(answerable, 'correct') >= TARGETS.correct && shareOf(scores, 'wrong') <= TARGETS.wrong;
}

function countVerdicts(scores: readonly Score[], set: ReportRow['set'], group: ReportRow['group']): ReportRow {
  const counted = scores.filter(
    ({ question }) => (set === 'all' || question.set === set) && (group === 'all' || question.group === group),
  );
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, counted.filter((score) => score.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  const shares = { correctShare: shareOf(counted, 'correct'), wrongShare: shareOf(counted, 'wrong') };
  return { set, group, questions: counted.length, ...counts, ...shares };
}

/** Returns the share of the scores with this verdict; 0 if there are no scores. */
function shareOf(scores: readonly Score[], verdict: Verdict): number {
  return scores.filter((score) => score.verdict === verdict).length / Math.max(1, scores.length);
}

/** The catalogue cannot write SQL, so for the group `sql`, it must decline. */
function isMistake(engine: EngineName, { verdict, question }: Score): boolean {
  if (verdict === 'correct') return false;
  return !(verdict === 'declined' && engine === 'catalogue' && question.group === 'sql');
}

function toMistake({ question, verdict, got }: Score): Mistake {
  const { id, set, group, question: text } = question;
  return { id, set, group, question: text, verdict, expected: describeExpected(question), got };
}

function describeExpected(question: EvaluationQuestion): string {
  switch (question.group) {
    case 'definition':
      return question.accepted.map(describeDefinition).join(' or ');
    case 'sql':
      return `the rows of ${question.queries[0]}`;
    case 'none':
      return `no answer: ${question.reason}`;
  }
}

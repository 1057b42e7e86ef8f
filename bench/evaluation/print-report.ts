import Table from 'cli-table3';
import { QUESTION_SETS } from './evaluation-question.js';
import { type Report, TARGETS } from './report.js';
import { VERDICTS } from './score-question.js';

/** Writes a report as text: the mistakes, the counts by set and group, and a one-line summary. */
export function printReport(report: Report): string {
  const mistakes = report.mistakes.map(({ id, set, verdict, question, expected, got }) =>
    [`${verdict}: ${id} (${set})`, `  question: ${question}`, `  expected: ${expected}`, `  got:      ${got}`].join(
      '\n',
    ),
  );
  return [...mistakes, printRows(report), printSummary(report)].join('\n\n');
}

function printRows({ rows }: Report): string {
  const head = ['set', 'group', 'questions', ...VERDICTS, 'correct %', 'wrong %'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) {
    const counts = VERDICTS.map((verdict) => row[verdict]);
    table.push([row.set, row.group, row.questions, ...counts, percent(row.correctShare), percent(row.wrongShare)]);
  }
  return table.toString();
}

function printSummary(report: Report): string {
  const { engine, rows, meetsTargets, setsWithinTargets, tokens, seconds, medianMs, slowestMs } = report;
  const total = rows.at(-1);
  const facts = [
    `${engine}: ${total?.questions ?? 0} questions in ${seconds.toFixed(1)} s`,
    `${medianMs.toFixed(1)} ms per question (median), ${slowestMs.toFixed(1)} ms at most`,
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
  ];
  if (meetsTargets === undefined) return `${facts.join(', ')}.`;
  const targets =
    `at least ${percent(TARGETS.correct)} % correct in the group definition, ` +
    `at most ${percent(TARGETS.wrong)} % wrong in all groups`;
  const sets = QUESTION_SETS.filter((set) => rows.some((row) => row.set === set)).map(
    (set) => `${set}: ${describeTargets(setsWithinTargets.includes(set))}`,
  );
  return `${facts.join(', ')}.\nTargets (${targets}): ${describeTargets(meetsTargets)} (${sets.join(', ')}).`;
}

function describeTargets(isMet: boolean): string {
  return isMet ? 'met' : 'NOT met';
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

import type { Assignment } from '../matching/assign.js';
import { isPeriod } from '../matching/catalogue-index.js';
import type { Match } from '../matching/match.js';
import type { QuestionReading } from '../reading/read-question.js';
import type { Slot } from '../reading/slot.js';
import { plainText } from './write-question.js';

/** What the answer assumes, as clauses: `"reed-stack" means amber-ibex/reed-stack`. */
export function findAssumptions({ entry, assignment }: Match, reading: QuestionReading): string[] {
  const { words, corrections } = reading;
  const textOf = ({ start, end }: Slot) => words.slice(start, end).join(' ');
  const names = assignment.used.flatMap((slot) => {
    if (slot.kind === 'repository' && slot.isGuessed && !isOwner(slot, words)) {
      return [`"${reading.texts.slice(slot.start, slot.end).join(' ')}" means ${slot.owner}/${slot.name}`];
    }
    if (slot.kind !== 'range' || isExact(textOf(slot))) return [];
    const { from, to } = slot.range ?? {};
    const days = [from === undefined ? '' : `from ${from}`, to === undefined ? '' : `to ${to}`]
      .filter(Boolean)
      .join(' ');
    const meant = dateParameters(entry.parameters) ? days : durationText(assignment, entry.parameters);
    return meant === '' ? [] : [`"${textOf(slot)}" means ${meant}`];
  });
  const spelling = corrections.map(([written, meant]) => `"${written}" means "${meant}"`);
  const totals = entry.hasRunningTotals ? ['each number is the running total'] : [];
  const period = defaultPeriod(entry.parameters, assignment);
  return [...new Set([...spelling, ...names, ...period, ...totals, ...allRows(assignment)])];
}

type Parameters = Match['entry']['parameters'];

function isOwner({ start, owner }: Slot & { readonly kind: 'repository' }, words: readonly string[]): boolean {
  return words[start] === owner.toLowerCase();
}

/** Whether the words of a range name its days, so that nothing is assumed. */
function isExact(text: string): boolean {
  return !/\b(?:last|past|this|current|previous|recent|ago|calendar)\b/.test(text);
}

function dateParameters(parameters: Parameters): boolean {
  return Object.values(parameters).some(({ format }) => format === 'date');
}

function durationText({ values }: Assignment, parameters: Parameters): string {
  const [, value = ''] = Object.entries(values).find(([name]) => isPeriodName(parameters, name)) ?? [];
  return `the ${plainText(value)}`;
}

function isPeriodName(parameters: Parameters, name: string): boolean {
  const parameter = parameters[name];
  return parameter !== undefined && isPeriod(parameter);
}

/** An answer for a default period differs from the answers for other periods, so its period is stated. */
function defaultPeriod(parameters: Parameters, { values }: Assignment): string[] {
  return Object.entries(parameters).flatMap(([name, parameter]) =>
    isPeriod(parameter) && values[name] === undefined && parameter.default !== undefined
      ? [`the ${plainText(name)} is the ${plainText(String(parameter.default))}`]
      : [],
  );
}

function allRows({ rows }: Assignment): string[] {
  return rows === undefined ? [] : [`the first ${rows} rows of the complete answer are meant`];
}

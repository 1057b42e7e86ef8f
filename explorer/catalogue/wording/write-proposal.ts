import type { DefinitionProposal } from '../../answers/proposal.js';
import type { Assignment } from '../matching/assign.js';
import { type CatalogueEntry, isPeriod } from '../matching/catalogue-index.js';
import type { Match } from '../matching/match.js';
import type { CatalogueNames } from '../reading/catalogue-names.js';
import type { QuestionReading } from '../reading/read-question.js';
import type { Slot } from '../reading/slot.js';
import { entitiesIn, questionsOf } from './suggestions.js';
import { plainText, writeSentence } from './write-question.js';

/** Writes the proposal of the definition that matches a question. */
export function writeProposal(
  match: Match,
  reading: QuestionReading,
  entries: readonly CatalogueEntry[],
  names: CatalogueNames,
): DefinitionProposal {
  const { entry, pattern, assignment } = match;
  const parameters = withoutDefaults(match);
  const collectionName = (id: string) => names.collections.find((one) => String(one.id) === id)?.name ?? id;
  // The text of the pattern can contain a parameter that has its default value, so defaults are added here.
  const inPattern = pattern.parameters.map((name) => [name, assignment.values[name] ?? defaultOf(entry, name)]);
  const shown = { ...parameters, ...Object.fromEntries(inPattern) };
  const { sentence, ending } = writeSentence(entry, pattern, shown, collectionName);
  const assumptions = findAssumptions(match, reading);
  const assuming = assumptions.length === 0 ? '' : `, assuming that ${assumptions.join(' and that ')}`;
  return {
    engine: 'catalogue',
    definition: { name: entry.name, parameters },
    revisedTitle: sentence + ending,
    notClear: otherRepositories(match),
    assumption: assumptions.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`).join(' '),
    combinedTitle: sentence + assuming + ending,
    recommendedQuestions: followUps(entry, entitiesIn(entry, assignment.values), entries, names),
  };
}

function defaultOf({ parameters }: CatalogueEntry, name: string): string {
  return String(parameters[name]?.default ?? '');
}

/** Returns the required parameters, and the parameters whose values differ from the defaults. */
function withoutDefaults({ entry, assignment: { values } }: Match): Readonly<Record<string, string>> {
  const isDefault = (name: string) => defaultOf(entry, name) === values[name];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isDefault(name)));
}

function otherRepositories({ assignment }: Match): string {
  const others = assignment.used.flatMap((slot) => (slot.kind === 'repository' ? slot.others : []));
  return others.length === 0 ? '' : `Other repositories have the same name: ${[...new Set(others)].join(', ')}.`;
}

/** Returns the first question of each other definition about the same repository or collection. */
function followUps(
  { name }: CatalogueEntry,
  entities: Readonly<Record<string, string>>,
  entries: readonly CatalogueEntry[],
  names: CatalogueNames,
): string[] {
  const others = entries.filter((entry) => entry.name !== name);
  const isAbout = (entry: CatalogueEntry) =>
    Object.keys(entities).every((one) => entry.requiredParameters.includes(one));
  const start = entries.findIndex((entry) => entry.name === name);
  const ordered = [...others.slice(start), ...others.slice(0, start)].filter(isAbout);
  return ordered.flatMap((entry) => questionsOf(entry, entities, names).slice(0, 1)).slice(0, MAX_FOLLOW_UPS);
}

const MAX_FOLLOW_UPS = 4;

/** Returns the assumptions of the answer, as clauses: `"reed-stack" means amber-ibex/reed-stack`. */
function findAssumptions({ entry, assignment }: Match, reading: QuestionReading): string[] {
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

/** Whether the words of a range specify exact days, so that no assumption is needed. */
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

/** Returns the default period of the answer as an assumption, because answers for other periods would differ. */
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

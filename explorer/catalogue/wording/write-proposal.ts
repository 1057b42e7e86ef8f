import type { DefinitionProposal } from '../../answers/proposal.js';
import type { CatalogueEntry } from '../matching/catalogue-index.js';
import type { Match } from '../matching/match.js';
import type { CatalogueNames } from '../names/catalogue-names.js';
import type { QuestionReading } from '../reading/read-question.js';
import { findAssumptions } from './assumptions.js';
import { entitiesIn, questionsOf } from './suggestions.js';
import { writeSentence } from './write-question.js';

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
  // The text of the pattern can contain a parameter that has its default value.
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

/** Required parameters, and parameters whose values differ from the defaults. */
function withoutDefaults({ entry, assignment: { values } }: Match): Readonly<Record<string, string>> {
  const isDefault = (name: string) => defaultOf(entry, name) === values[name];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isDefault(name)));
}

function otherRepositories({ assignment }: Match): string {
  const others = assignment.used.flatMap((slot) => (slot.kind === 'repository' ? slot.others : []));
  return others.length === 0 ? '' : `Other repositories have the same name: ${[...new Set(others)].join(', ')}.`;
}

/** The first questions of other definitions about the same repository or collection. */
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

import type { CatalogueEntry, QuestionPattern } from '../matching/catalogue-index.js';
import type { CatalogueNames } from '../reading/catalogue-names.js';
import { writeQuestion } from './write-question.js';

/** The values of parameters for a suggested question. */
export type Entities = Readonly<Record<string, string>>;

/** Writes the questions of a definition with these values. Returns an empty list if a required value is missing. */
export function questionsOf(entry: CatalogueEntry, entities: Entities, { collections }: CatalogueNames): string[] {
  const collectionName = (id: string) => collections.find((one) => String(one.id) === id)?.name ?? id;
  return entry.patterns
    .filter((pattern) => canFill(entry, pattern, entities))
    .map((pattern) => {
      const values = Object.fromEntries(
        pattern.parameters.map((name) => [name, entities[name] ?? firstEnumValue(entry, name)]),
      );
      return writeQuestion(entry, pattern, values, collectionName);
    });
}

/** Returns the parameters for suggestions: repositories, a collection and a person. `place` is their position by popularity. */
export function entitiesAt(place: number, { popular, collections, people }: CatalogueNames): Entities {
  const one = <Item>(items: readonly Item[], at = place) => items[at % Math.max(1, items.length)];
  const [fullName, other, collection, login] = [one(popular), one(popular, place + 1), one(collections), one(people)];
  const at = fullName?.indexOf('/') ?? 0;
  return {
    ...(fullName !== undefined && { owner: fullName.slice(0, at), repo: fullName.slice(at + 1) }),
    ...(other !== undefined && other !== fullName && { repos: `${fullName},${other}` }),
    ...(collection !== undefined && { collection_id: String(collection.id) }),
    ...(login !== undefined && { login }),
  };
}

/** Returns up to `count` different questions: first one per definition, then more with other names. */
export function suggest(entries: readonly CatalogueEntry[], names: CatalogueNames, count: number): string[] {
  const found = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS && found.size < count; round += 1) {
    for (const [place, entry] of entries.entries()) {
      const all = questionsOf(entry, entitiesAt(place + round, names), names);
      const question = all[round % Math.max(1, all.length)];
      if (question !== undefined && found.size < count) found.add(question);
    }
  }
  return [...found];
}

const MAX_ROUNDS = 40;

function canFill(entry: CatalogueEntry, { parameters }: QuestionPattern, entities: Entities): boolean {
  return (
    entry.requiredParameters.every((name) => parameters.includes(name)) &&
    parameters.every((name) => entities[name] !== undefined || firstEnumValue(entry, name) !== '')
  );
}

function firstEnumValue({ parameters }: CatalogueEntry, name: string): string {
  return String(parameters[name]?.enum?.[1] ?? '');
}

/** Returns those values that identify a repository or a collection. */
export function entitiesIn(entry: CatalogueEntry, values: Entities): Entities {
  const names = Object.values(entry.entities).flat();
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

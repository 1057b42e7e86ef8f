import MiniSearch from 'minisearch';
import type { Endpoint, ParameterDefinition } from '../../../engine/index.js';
import { type EnumValue, Lexicon } from '../language/lexicon.js';
import { countedConcepts } from '../language/noun-phrases.js';
import { cleanQuestion } from '../language/text.js';
import { ENTITY_KINDS, type EntityKind, type Vocabulary } from '../language/vocabulary.js';

/** One of the questions of a definition. */
export interface QuestionPattern {
  readonly text: string;
  /** The concepts that a question must have. */
  readonly required: ReadonlySet<string>;
  /** If this set is not empty, the question must have at least one of these concepts. */
  readonly optional: ReadonlySet<string>;
  readonly concepts: ReadonlySet<string>;
  /** The parameters that have a placeholder in the text. */
  readonly parameters: readonly string[];
  /** Whether the question is only the name of an entity, such as `{owner}/{repo}`. */
  readonly isName: boolean;
}

/** A definition that has questions. */
export interface CatalogueEntry {
  readonly name: string;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly requiredParameters: readonly string[];
  /** The parameters that identify each entity. */
  readonly entities: Readonly<Partial<Record<EntityKind, readonly string[]>>>;
  readonly patterns: readonly QuestionPattern[];
  /** Whether the description states that the numbers are running totals. */
  readonly hasRunningTotals: boolean;
  /** All concepts of the questions and of the summary. */
  readonly vocabulary: ReadonlySet<string>;
}

export interface CatalogueIndex {
  readonly entries: readonly CatalogueEntry[];
  readonly lexicon: Lexicon;
  readonly enumValues: readonly EnumValue[];
  /** Returns definitions whose texts are similar to a question, most similar first. */
  similar(words: readonly string[]): readonly CatalogueEntry[];
}

export function createCatalogueIndex(endpoints: readonly Endpoint[], vocabulary: Vocabulary): CatalogueIndex {
  const lexicon = new Lexicon(vocabulary);
  const answering = endpoints.filter(({ definition }) => definition.questions.length > 0);
  for (const { definition } of answering) {
    for (const text of definition.questions) for (const word of wordsOf(text)) lexicon.add(word);
  }
  const entries = answering.map((endpoint) => createEntry(endpoint, lexicon, vocabulary));
  const search = createSearch(answering);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    entries,
    lexicon,
    enumValues: answering.flatMap(({ parameters }) => Object.entries(parameters).flatMap(valuesOf)),
    similar: (words) =>
      search.search(words.slice(0, MAX_WORDS).join(' '), { fuzzy: 0.2, prefix: true }).flatMap(({ id }) => {
        const entry = byName.get(String(id));
        return entry === undefined ? [] : [entry];
      }),
  };
}

const MAX_WORDS = 40;
const PLACE = /\{([A-Za-z_]\w*)\}/g;

function createEntry({ definition, parameters }: Endpoint, lexicon: Lexicon, vocabulary: Vocabulary): CatalogueEntry {
  const entities = entitiesOf(parameters, vocabulary);
  const patterns = definition.questions.map((text) => createPattern(text, lexicon, entities));
  const summary = conceptsOf(definition.summary, lexicon);
  return {
    name: definition.name,
    parameters,
    requiredParameters: Object.keys(parameters).filter(
      (name) => parameters[name]?.in === 'path' || parameters[name]?.required === true,
    ),
    entities,
    patterns,
    hasRunningTotals: /\brunning total/i.test(definition.description ?? ''),
    vocabulary: new Set([
      ...patterns.flatMap(({ concepts }) => [...concepts]),
      ...summary,
      // A definition for a period does not answer a question about all time.
      ...(Object.values(parameters).some(isPeriod) ? [] : ['all-time']),
    ]),
  };
}

/** Whether the values of a parameter are durations, such as `past_week`. */
export function isPeriod({ enum: values = [] }: ParameterDefinition): boolean {
  return values.length > 0 && values.every((value) => /^(?:past|last)_/.test(String(value)));
}

function createPattern(text: string, lexicon: Lexicon, entities: CatalogueEntry['entities']): QuestionPattern {
  const parameters = [...text.matchAll(PLACE)].map(([, name = '']) => name);
  const named = ENTITY_KINDS.filter((kind) => entities[kind]?.some((name) => parameters.includes(name)));
  const concepts = lexicon.withImplied(new Set([...conceptsOf(text, lexicon), ...named]));
  const isWeak = (concept: string) => lexicon.isOptional(concept) || concept.startsWith('count:');
  return {
    text,
    concepts,
    required: new Set([...concepts].filter((concept) => !isWeak(concept))),
    // Every definition can have the word `repository`, so it does not distinguish definitions.
    optional: new Set([...concepts].filter((concept) => isWeak(concept) && concept !== 'repository')),
    parameters,
    isName: wordsOf(text).length === 0,
  };
}

function conceptsOf(text: string, lexicon: Lexicon): ReadonlySet<string> {
  const meanings = lexicon.explain(wordsOf(text));
  return new Set([
    ...meanings.flatMap(({ concepts }) => concepts),
    ...countedConcepts(meanings).map(({ concept }) => concept),
  ]);
}

/** Returns the words of a pattern or summary, without the placeholders of parameters. `per` is part of an interval: `per month`. */
function wordsOf(text: string): string[] {
  return cleanQuestion(text.replaceAll(/\bper (?=\{)/g, ' ').replaceAll(PLACE, ' '))
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** The values of enums whose values are names, such as languages. Intervals and orders are matched by other words. */
function valuesOf([parameter, { enum: values = [] }]: [string, ParameterDefinition]): EnumValue[] {
  const isName =
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && !/_|^(?:day|week|month|year)$/.test(value));
  return values.flatMap((value) => {
    const isExact = typeof value === 'string' && value.includes('_');
    return isName || isExact ? [{ parameter, value: String(value), isExact: !isName }] : [];
  });
}

function createSearch(endpoints: readonly Endpoint[]): MiniSearch {
  const search = new MiniSearch({
    fields: ['questions', 'summary', 'descriptions'],
    searchOptions: { boost: { questions: 3, summary: 2 } },
  });
  search.addAll(
    endpoints.map(({ definition, parameters }) => ({
      id: definition.name,
      questions: definition.questions.join(' '),
      summary: definition.summary,
      descriptions: [...definition.columns, ...Object.values(parameters)]
        .map(({ description }) => description)
        .join(' '),
    })),
  );
  return search;
}

/** Returns the parameters with which a definition identifies entities. A parameter belongs to one entity. */
function entitiesOf(parameters: CatalogueEntry['parameters'], { entities }: Vocabulary): CatalogueEntry['entities'] {
  const free = new Set(Object.keys(parameters));
  const found: Partial<Record<EntityKind, readonly string[]>> = {};
  for (const kind of ENTITY_KINDS) {
    const names = entities[kind]?.find((one) => one.every((name) => free.has(name)));
    if (names === undefined) continue;
    found[kind] = names;
    for (const name of names) free.delete(name);
  }
  return found;
}

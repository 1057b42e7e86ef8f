import MiniSearch from 'minisearch';
import type { Endpoint, ParameterDefinition } from '../../../engine/index.js';
import { type EnumValue, Lexicon } from '../language/lexicon.js';
import { countedConcepts } from '../language/noun-phrases.js';
import { cleanQuestion } from '../language/text.js';
import { ENTITY_PARAMETERS, IMPLIED_CONCEPTS, WEAK_CONCEPTS } from '../language/vocabulary.js';

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
}

/** A definition that has questions. */
export interface CatalogueEntry {
  readonly name: string;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly requiredParameters: readonly string[];
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

export function createCatalogueIndex(endpoints: readonly Endpoint[]): CatalogueIndex {
  const lexicon = new Lexicon();
  const answering = endpoints.filter(({ definition }) => definition.questions.length > 0);
  for (const { definition } of answering) {
    for (const text of definition.questions) for (const word of wordsOf(text)) lexicon.add(word);
  }
  const entries = answering.map((endpoint) => createEntry(endpoint, lexicon));
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

/** Adds concepts that follow from others: `where` means the country, unless the question is about organizations. */
export function withImplied(concepts: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(concepts);
  for (const [has, unless, adds] of IMPLIED_CONCEPTS) if (all.has(has) && !all.has(unless)) all.add(adds);
  return all;
}

const ENTITY_KINDS = ['repository', 'collection'] as const;
const MAX_WORDS = 40;
const PLACE = /\{([A-Za-z_]\w*)\}/g;

function createEntry({ definition, parameters }: Endpoint, lexicon: Lexicon): CatalogueEntry {
  const patterns = definition.questions.map((text) => createPattern(text, lexicon));
  const summary = conceptsOf(definition.summary, lexicon);
  return {
    name: definition.name,
    parameters,
    requiredParameters: Object.keys(parameters).filter(
      (name) => parameters[name]?.in === 'path' || parameters[name]?.required === true,
    ),
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

function createPattern(text: string, lexicon: Lexicon): QuestionPattern {
  const parameters = [...text.matchAll(PLACE)].map(([, name = '']) => name);
  const named = ENTITY_KINDS.filter((kind) => ENTITY_PARAMETERS[kind].some((name) => parameters.includes(name)));
  const concepts = withImplied(new Set([...conceptsOf(text, lexicon), ...named]));
  const isWeak = (concept: string) => WEAK_CONCEPTS.has(concept) || concept.startsWith('count:');
  return {
    text,
    concepts,
    required: new Set([...concepts].filter((concept) => !isWeak(concept))),
    // Every definition can have the word `repository`, so it does not distinguish definitions.
    optional: new Set([...concepts].filter((concept) => isWeak(concept) && concept !== 'repository')),
    parameters,
  };
}

function conceptsOf(text: string, lexicon: Lexicon): ReadonlySet<string> {
  const meanings = lexicon.explain(wordsOf(text));
  return new Set([
    ...meanings.flatMap(({ concepts }) => concepts),
    ...countedConcepts(meanings).map(({ concept }) => concept),
  ]);
}

/** Returns the words of a pattern or summary, without the placeholders of parameters. */
function wordsOf(text: string): string[] {
  return cleanQuestion(text.replaceAll(PLACE, ' '))
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

/** Returns the parameters with which a definition identifies this kind of entity; undefined if it has none. */
export function entityParameters(
  kind: keyof typeof ENTITY_PARAMETERS,
  { parameters }: Pick<CatalogueEntry, 'parameters'>,
): readonly string[] | undefined {
  const names = ENTITY_PARAMETERS[kind];
  return names.every((name) => Object.hasOwn(parameters, name)) ? names : undefined;
}

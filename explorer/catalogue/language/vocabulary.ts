/** The words of questions about the data of a folder of definitions, from its `vocabulary.yaml` (`schemas/vocabulary.schema.json`). */
export interface Vocabulary {
  readonly concepts: Readonly<Record<string, Concept>>;
  readonly implied: readonly { readonly has: string; readonly unless: string; readonly adds: string }[];
  readonly states: Readonly<Record<'words' | 'things' | 'actors' | 'before' | 'after', readonly string[]>>;
  readonly requests: readonly string[];
  readonly entities: Readonly<Partial<Record<EntityKind, readonly (readonly string[])[]>>>;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly orders: readonly {
    readonly values: string;
    readonly of_people?: boolean;
    readonly phrases: readonly string[];
  }[];
  readonly excluded_rows: Readonly<Record<string, Readonly<Record<'rows' | 'others', readonly string[]>>>>;
  readonly other_words: readonly string[];
}

export interface Concept {
  readonly noun?: boolean;
  readonly optional?: boolean;
  readonly phrases: readonly string[];
}

/** What the catalogue finds by name in the data: `account` is the login of a person or an organization. */
export const ENTITY_KINDS = ['repository', 'repositories', 'collection', 'account'] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Combines the vocabularies of several folders. A later folder adds phrases, and replaces the states. */
export function combineVocabularies(vocabularies: readonly Partial<Vocabulary>[]): Vocabulary {
  return vocabularies.reduce<Vocabulary>(
    (one, other) => ({
      concepts: combine(one.concepts, other.concepts ?? {}, (first, second) => ({
        ...first,
        ...second,
        phrases: [...first.phrases, ...second.phrases],
      })),
      implied: [...one.implied, ...(other.implied ?? [])],
      states: other.states ?? one.states,
      requests: [...one.requests, ...(other.requests ?? [])],
      entities: { ...one.entities, ...other.entities },
      values: combine(one.values, other.values ?? {}, (first, second) => [...first, ...second]),
      orders: [...one.orders, ...(other.orders ?? [])],
      excluded_rows: combine(one.excluded_rows, other.excluded_rows ?? {}, (first, second) => ({
        rows: [...first.rows, ...second.rows],
        others: [...first.others, ...second.others],
      })),
      other_words: [...one.other_words, ...(other.other_words ?? [])],
    }),
    {
      ...{
        concepts: {},
        implied: [],
        requests: [],
        entities: {},
        values: {},
        orders: [],
        excluded_rows: {},
        other_words: [],
      },
      states: { words: [], things: [], actors: [], before: [], after: [] },
    },
  );
}

function combine<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  add: (first: Value, second: Value) => Value,
): Readonly<Record<string, Value>> {
  const added = Object.entries(other).map(([name, value]): [string, Value] => {
    const first = Object.hasOwn(one, name) ? one[name] : undefined;
    return [name, first === undefined ? value : add(first, value)];
  });
  return { ...one, ...Object.fromEntries(added) };
}

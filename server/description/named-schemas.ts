import type { JsonSchema } from '../../app-routes/operation.js';

/**
 * Takes schemas that have a `title` out of larger ones and puts references in their place, so that each stands once in a
 * document. What a schema keeps in `definitions` is named after it. Words of draft 7 become those of 2020-12.
 */
export class NamedSchemas {
  readonly #schemas: Record<string, JsonSchema> = {};
  readonly #sources = new Map<string, string>();

  /** `place` is where references point to, such as `#/components/schemas/`. */
  constructor(private readonly place: string) {}

  get all(): Readonly<Record<string, JsonSchema>> {
    return this.#schemas;
  }

  /** The same schema, with references. */
  refer(schema: JsonSchema): JsonSchema {
    const { $schema, title, definitions, ...rest } = schema;
    if (typeof title !== 'string') return this.#inside(schema);
    const source = JSON.stringify(schema);
    const known = this.#sources.get(title);
    if (known === undefined) {
      this.#sources.set(title, source);
      this.#schemas[title] = this.#inside(withDefinitions(rest, title, definitions as Definitions));
    } else if (known !== source) throw new Error(`Two schemas have the title ${title}.`);
    return { $ref: `${this.place}${title}` };
  }

  #inside(schema: JsonSchema): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([word, value]) => [
        NEWER_WORDS[word] ?? word,
        NO_SCHEMAS.has(word) ? value : this.#value(value),
      ]),
    );
  }

  #value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return typeof value === 'object' && value !== null ? this.refer(value as JsonSchema) : value;
  }
}

type Definitions = Readonly<Record<string, JsonSchema>> | undefined;

/** Words whose values only look like schemas. */
const NO_SCHEMAS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

const NEWER_WORDS: Readonly<Record<string, string>> = { dependencies: 'dependentRequired' };

function withDefinitions(schema: JsonSchema, title: string, definitions: Definitions = {}): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { $ref } = (value ?? {}) as { $ref?: string };
    const name = $ref?.startsWith('#/definitions/') ? $ref.slice('#/definitions/'.length) : undefined;
    const definition = name === undefined ? undefined : definitions[name];
    if (name === undefined || definition === undefined) return value;
    return { title: title + name.charAt(0).toUpperCase() + name.slice(1), ...definition };
  });
}

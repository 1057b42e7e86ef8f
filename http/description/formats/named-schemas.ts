import type { JsonSchema } from '../../json-schema.js';
import { enumNames } from '../names.js';

/**
 * Takes schemas that have a `title` out of larger ones and puts references in their place, so that each stands once in a
 * document. Enums get names for their values. What a schema keeps in `definitions` is named after it. Words of draft 7 become those of 2020-12.
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
    const name = this.#nameOf(title, JSON.stringify(schema));
    this.#schemas[name] ??= this.#inside(withDefinitions(rest, name, definitions as Definitions));
    return { $ref: `${this.place}${name}` };
  }

  /** The title, with a number where another schema has it already. */
  #nameOf(title: string, source: string): string {
    let name = title;
    for (let number = 2; (this.#sources.get(name) ?? source) !== source; number += 1) name = `${title}${number}`;
    this.#sources.set(name, source);
    return name;
  }

  #inside(schema: JsonSchema): JsonSchema {
    const names = Array.isArray(schema.enum) ? { 'x-enum-varnames': enumNames(schema.enum) } : {};
    const inside = Object.fromEntries(
      Object.entries(schema).map(([word, value]) => {
        if (word === 'properties') return [word, this.#properties(value as Definitions)];
        if (word === 'dependencies') return ['dependentRequired', value];
        return [word, NO_SCHEMAS.has(word) ? value : this.#value(value)];
      }),
    );
    return { ...inside, ...names };
  }

  /** Their names may be anything, words of schemas too. */
  #properties(properties: Definitions = {}): JsonSchema {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.refer(schema)]));
  }

  #value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return typeof value === 'object' && value !== null ? this.refer(value as JsonSchema) : value;
  }
}

type Definitions = Readonly<Record<string, JsonSchema>> | undefined;

/** Words whose values only look like schemas. */
const NO_SCHEMAS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

function withDefinitions(schema: JsonSchema, title: string, definitions: Definitions = {}): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { $ref } = (value ?? {}) as { $ref?: string };
    const name = $ref?.startsWith('#/definitions/') ? $ref.slice('#/definitions/'.length) : undefined;
    const definition = name === undefined ? undefined : definitions[name];
    if (name === undefined || definition === undefined) return value;
    return { title: title + name.charAt(0).toUpperCase() + name.slice(1), ...definition };
  });
}

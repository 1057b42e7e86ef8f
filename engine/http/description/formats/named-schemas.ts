import type { JsonSchema } from '../../json-schema.js';
import { enumNames } from '../names.js';
import { type OlderFormat, olderSchema } from './older-schema.js';

/**
 * Collects the schemas that have a `title` and replaces them with references, so that a document contains each schema
 * only once. It also adds names for the values of named enums and the format of 64-bit integers, names the
 * `definitions` of a schema after the schema, and translates keywords of JSON Schema draft 7 to 2020-12 or an older
 * format. Patterns that some languages cannot read become `x-pattern`.
 */
export class NamedSchemas {
  readonly #prefix: string;
  readonly #format: OlderFormat | undefined;
  readonly #schemas: Record<string, JsonSchema> = {};
  readonly #sources = new Map<string, string>();

  /** `prefix` is the start of all references, for example `#/components/schemas/`. Without `format`, schemas are for OpenAPI 3.1. */
  constructor(prefix: string, format?: OlderFormat) {
    this.#prefix = prefix;
    this.#format = format;
  }

  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(Object.entries(this.#schemas).map(([name, schema]) => [name, this.#translate(schema)]));
  }

  /** Returns the schema, in which references replace all titled schemas. */
  refer(schema: JsonSchema): JsonSchema {
    return this.#translate(this.#refer(schema));
  }

  #translate(schema: JsonSchema): JsonSchema {
    return this.#format === undefined ? schema : olderSchema(schema, this.#format);
  }

  #refer(schema: JsonSchema): JsonSchema {
    const { $schema, title, definitions, ...rest } = schema;
    if (typeof title !== 'string') return this.#referInside(schema);
    const name = this.#nameOf(title, JSON.stringify(schema));
    this.#schemas[name] ??= this.#referInside(nameValues(inlineDefinitions(rest, name, definitions as Definitions)));
    return { $ref: `${this.#prefix}${name}` };
  }

  /** Returns the schema of a parameter, with names for its enum values or those of its list items. */
  referParameter(schema: JsonSchema): JsonSchema {
    const { items } = schema as { readonly items?: JsonSchema };
    return this.refer(nameValues(items === undefined ? schema : { ...schema, items: nameValues(items) }));
  }

  /** Returns the name of a schema: its title, followed by a number if a different schema has the same title. */
  #nameOf(title: string, source: string): string {
    let name = title;
    for (let number = 2; (this.#sources.get(name) ?? source) !== source; number += 1) name = `${title}${number}`;
    this.#sources.set(name, source);
    return name;
  }

  #referInside(schema: JsonSchema): JsonSchema {
    const written = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (keyword === 'properties') return [keyword, this.#referProperties(value as Definitions)];
        if (keyword === 'dependencies') return ['dependentRequired', value];
        if (keyword === 'pattern' && !isPortablePattern(String(value))) return ['x-pattern', value];
        return [keyword, VALUE_KEYWORDS.has(keyword) ? value : this.#referValue(value)];
      }),
    );
    return isInteger(schema) && schema.format === undefined ? { ...written, format: 'int64' } : written;
  }

  /** Replaces schemas in properties. This is a separate method, because the name of a property can equal a keyword. */
  #referProperties(properties: Definitions = {}): JsonSchema {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.#refer(schema)]));
  }

  #referValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#referValue(item));
    return typeof value === 'object' && value !== null ? this.#refer(value as JsonSchema) : value;
  }
}

/**
 * Adds names for the values of an enum. In properties, only named enums get them: for other enums, the Python generator
 * would write a default as a name that does not exist.
 */
function nameValues(schema: JsonSchema): JsonSchema {
  return Array.isArray(schema.enum) ? { ...schema, 'x-enum-varnames': enumNames(schema.enum) } : schema;
}

/** Whether a schema is an integer, which gets the format `int64`. Without a format, generators for Go, Java and Rust use 32 bits. */
function isInteger({ type }: JsonSchema): boolean {
  const others = [type].flat().filter((name) => name !== 'null');
  return others.length === 1 && others[0] === 'integer';
}

type Definitions = Readonly<Record<string, JsonSchema>> | undefined;

/** Keywords whose values are data, even if they look like schemas. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'example',
  'examples',
  'x-enum-varnames',
]);

/** Replaces references to `definitions` with the definitions themselves, whose titles then begin with `title`. */
function inlineDefinitions(schema: JsonSchema, title: string, definitions: Definitions = {}): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { $ref } = (value ?? {}) as { $ref?: string };
    const name = $ref?.startsWith('#/definitions/') ? $ref.slice('#/definitions/'.length) : undefined;
    const definition = name === undefined ? undefined : definitions[name];
    if (name === undefined || definition === undefined) return value;
    return { title: title + name.charAt(0).toUpperCase() + name.slice(1), ...definition };
  });
}

/**
 * Whether a pattern has the same meaning in Go, Java, Python and JavaScript (with and without the flag `u`).
 * Definitions can also have other patterns, such as `\p{L}`, because the service checks values with RE2.
 */
function isPortablePattern(pattern: string): boolean {
  const withoutEscapes = pattern.replaceAll(PORTABLE_ESCAPE, '_');
  if (OTHER_SYNTAX.some((syntax) => syntax.test(withoutEscapes))) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Escapes with the same meaning in all these languages: some letters, two hexadecimal digits, and characters that become literal. */
const PORTABLE_ESCAPE = /\\(?:[dDwWsSbBtnrf]|x[0-9A-Fa-f]{2}|[$()*+./?[\\\]^{|}-])/g;

const OTHER_SYNTAX = [
  // All escapes that remain after the portable ones were replaced.
  /\\/,
  // Lookaround, named groups and flags.
  /\(\?(?!:)/,
  // In a character class, `[` and `&&` are operators in Java, and `[:name:]` is a named class in RE2. JavaScript allows an empty class.
  /\[\^?[^\]]*(?:\[|&&)|\[\^?\]/,
  // Without the flag `u`, JavaScript reads a character beyond 16 bits as two characters. RE2 does not support surrogates.
  /[\p{Cs}\u{10000}-\u{10ffff}]/u,
];

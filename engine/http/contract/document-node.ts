/** Thrown for a document that is not an API description from this service. The message contains the position of the first mistake. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/**
 * A value inside an untrusted JSON document. Each method checks the value, and throws a `DocumentError` with its
 * position if the value is unexpected. References to `#/components/` are resolved.
 */
export class DocumentNode {
  readonly #root: unknown;
  readonly #value: unknown;
  readonly #place: string;

  private constructor(root: unknown, value: unknown, place: string) {
    this.#root = root;
    this.#value = value;
    this.#place = place;
  }

  static of(document: unknown): DocumentNode {
    return new DocumentNode(document, document, '');
  }

  /** Returns a member of an object after resolving references. Returns undefined if the member is absent. */
  find(key: string): DocumentNode | undefined {
    const members = this.#members();
    if (!Object.hasOwn(members, key)) return undefined;
    return new DocumentNode(this.#root, members[key], this.#placeOf(key)).#resolve();
  }

  get(key: string): DocumentNode {
    return this.find(key) ?? this.fail(`a member ${JSON.stringify(key)}`);
  }

  /** Returns the members of an object in their order. */
  entries(): (readonly [string, DocumentNode])[] {
    const keys = Object.keys(this.#members());
    if (keys.length > MAX_MEMBERS) return this.fail(`at most ${MAX_MEMBERS} members`);
    return keys.map((key) => [key, this.get(key)]);
  }

  items(): DocumentNode[] {
    const value = this.#value;
    if (!Array.isArray(value)) return this.fail('a list');
    if (value.length > MAX_MEMBERS) return this.fail(`at most ${MAX_MEMBERS} items`);
    return value.map((item, index) => new DocumentNode(this.#root, item, this.#placeOf(String(index))).#resolve());
  }

  isList(): boolean {
    return Array.isArray(this.#value);
  }

  text(): string {
    return typeof this.#value === 'string' ? this.#value : this.fail('text');
  }

  number(): number {
    return typeof this.#value === 'number' ? this.#value : this.fail('a number');
  }

  flag(): boolean {
    return typeof this.#value === 'boolean' ? this.#value : this.fail('true or false');
  }

  /** Returns text or a number. */
  scalar(): string | number {
    return typeof this.#value === 'number' ? this.#value : this.text();
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    return values.find((value) => value === this.#value) ?? this.fail(`one of ${values.join(', ')}`);
  }

  /** Returns the value of a parameter: a scalar, `true`, `false`, or a list of scalars. */
  parameterValue(): string | number | boolean | readonly (string | number)[] {
    if (Array.isArray(this.#value)) return this.items().map((item) => item.scalar());
    return typeof this.#value === 'boolean' ? this.#value : this.scalar();
  }

  fail(expected: string): never {
    const place = this.#place === '' ? 'the document' : this.#place;
    throw new DocumentError(`${place}: expected ${expected}, got ${shorten(JSON.stringify(this.#value) ?? 'nothing')}`);
  }

  #members(): Readonly<Record<string, unknown>> {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.fail('an object');
    return value as Readonly<Record<string, unknown>>;
  }

  /** Resolves `$ref`, and `allOf` with one member. */
  #resolve(depth = 0): DocumentNode {
    const { $ref, allOf, ...own } = isObject(this.#value) ? this.#value : {};
    const [only, ...others] = Array.isArray(allOf) ? allOf : [];
    if ($ref === undefined && (only === undefined || others.length > 0)) return this;
    if (depth > MAX_REFERENCES) return this.fail('a reference that ends');
    const target = $ref === undefined ? only : this.#target($ref);
    const resolved = new DocumentNode(this.#root, target, this.#place).#resolve(depth + 1);
    // Members next to a reference, such as a description, override those of the referenced object.
    return new DocumentNode(this.#root, { ...resolved.#members(), ...own }, this.#place);
  }

  #target(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith('#/components/')) {
      return this.fail('a reference to #/components/');
    }
    const steps = reference.slice(2).split('/');
    return steps.reduce<unknown>((inside, step) => {
      if (!isObject(inside) || !Object.hasOwn(inside, step)) return this.fail('a reference to an existing component');
      return inside[step];
    }, this.#root);
  }

  #placeOf(key: string): string {
    return this.#place === '' ? key : `${this.#place}.${key}`;
  }
}

/** The maximum number of references in succession. API descriptions of this service have at most two. */
const MAX_REFERENCES = 8;
/**
 * The maximum number of members of an object, which is enough for two paths of each of 10,000 endpoints. The limit is
 * needed because comparing parameters and columns takes quadratic time.
 */
const MAX_MEMBERS = 20_000;
const MAX_SHOWN = 80;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

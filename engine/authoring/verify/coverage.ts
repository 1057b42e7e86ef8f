import type { Answer } from '../../answers/answer.js';
import type { ParameterDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { formatChoices } from '../../definitions/template/template-variants.js';

/** The kind of request that exercised a part of a definition. */
export type CoveredBy = 'example' | 'fixture' | 'case';

/** A part of a definition that requests can exercise. */
export interface CoveredPart {
  /** A variant of the SQL, a value of an enum or boolean, a parameter, or a notice for answers without rows. */
  readonly kind: 'variant' | 'value' | 'parameter' | 'notice';
  readonly name: string;
  /** The kinds of answered requests that exercised the part. */
  readonly by: readonly CoveredBy[];
}

export interface Coverage {
  readonly total: number;
  readonly covered: number;
  readonly parts: readonly CoveredPart[];
}

/** Records which parts of a definition the answered requests exercise. */
export class CoverageRecorder {
  readonly #endpoint: Endpoint;
  readonly #parts = new Map<string, { readonly part: Omit<CoveredPart, 'by'>; readonly by: Set<CoveredBy> }>();
  readonly #variants = new Map<unknown, string>();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    for (const { choices } of endpoint.query.texts) {
      const name = formatChoices(choices) || 'the only one';
      this.#variants.set(choices, name);
      this.#add('variant', name);
    }
    for (const [name, parameter] of Object.entries(endpoint.definition.params)) {
      this.#add('parameter', name);
      for (const value of valuesOf(parameter)) this.#add('value', nameOfValue(name, value));
    }
    for (const { when, query } of endpoint.notices) if (when === 'empty') this.#add('notice', query.key);
  }

  /** Records an answered request. `given` are the names of the parameters that the request contains. */
  record({ parameters, rows }: Pick<Answer, 'parameters' | 'rows'>, given: readonly string[], by: CoveredBy): void {
    const variant = this.#variants.get(this.#endpoint.query.choicesOf(parameters));
    if (variant !== undefined) this.#cover('variant', variant, by);
    for (const name of given) this.#cover('parameter', name, by);
    for (const [name, value] of Object.entries(parameters)) {
      for (const one of [value].flat()) this.#cover('value', nameOfValue(name, one), by);
    }
    if (rows.length > 0) return;
    for (const { when, query } of this.#endpoint.notices) if (when === 'empty') this.#cover('notice', query.key, by);
  }

  get coverage(): Coverage {
    const parts = [...this.#parts.values()].map(({ part, by }) => ({ ...part, by: [...by] }));
    return { total: parts.length, covered: parts.filter(({ by }) => by.length > 0).length, parts };
  }

  #add(kind: CoveredPart['kind'], name: string): void {
    this.#parts.set(`${kind} ${name}`, { part: { kind, name }, by: new Set() });
  }

  #cover(kind: CoveredPart['kind'], name: string, by: CoveredBy): void {
    this.#parts.get(`${kind} ${name}`)?.by.add(by);
  }
}

/** Returns the declared values of a parameter, or of the items of a list. */
function valuesOf({ type, enum: values, items }: ParameterDefinition): readonly unknown[] {
  if (values !== undefined) return values;
  return type === 'boolean' ? [true, false] : (items?.enum ?? []);
}

function nameOfValue(parameter: string, value: unknown): string {
  return `${parameter} = ${JSON.stringify(value)}`;
}

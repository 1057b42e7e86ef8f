import type { ParameterValue } from '../definition.js';

/** The values from a query that a parameter currently accepts. Until they are known, every value is accepted. */
export class Choices {
  #values: readonly (string | number)[] | undefined;
  #known: ReadonlySet<string | number> = new Set();

  /** The values in the order of the query; undefined if the query has not succeeded yet. */
  get values(): readonly (string | number)[] | undefined {
    return this.#values;
  }

  set(values: readonly (string | number)[]): void {
    this.#values = values;
    this.#known = new Set(values);
  }

  /** Returns the first value that is not accepted. */
  findWrong(value: ParameterValue): string | number | undefined {
    if (this.#values === undefined || typeof value === 'boolean') return undefined;
    const given: readonly (string | number)[] = typeof value === 'object' ? value : [value];
    return given.find((one) => !this.#known.has(one));
  }

  /** Describes the accepted values, as a phrase after "must be". */
  get expected(): string {
    const { length } = this.#values ?? [];
    const sample = this.sample(SHOWN).join(', ');
    if (length === 0) return 'one of the values in the data, but the data contain no value';
    return length <= SHOWN ? `one of ${sample}` : `one of the ${length} values in the data, such as ${sample}`;
  }

  /** Returns the first `count` values, as examples. */
  sample(count: number): readonly (string | number)[] {
    return (this.#values ?? []).slice(0, count);
  }
}

/** The number of values that messages show. */
const SHOWN = 10;

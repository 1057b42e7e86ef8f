import {
  type DefinitionPath,
  type DocumentSource,
  describeValue,
  isMapping,
} from '../../definitions/definition-source.js';
import type { ConversionLog, SourcePlace } from './conversion.js';

type Mapping = Readonly<Record<string, unknown>>;

/** Reads the keys of a mapping in a foreign file. A value of a wrong type is reported as a problem with its position. */
export class DocumentFields {
  readonly #source: DocumentSource;
  readonly #path: DefinitionPath;
  readonly #value: Mapping;
  readonly #log: ConversionLog;

  constructor(source: DocumentSource, path: DefinitionPath, value: Mapping, log: ConversionLog) {
    this.#source = source;
    this.#path = path;
    this.#value = value;
    this.#log = log;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#value, key) && this.#value[key] !== null;
  }

  text(key: string): string | undefined {
    return this.#read(key, 'a text', (value) => typeof value === 'string');
  }

  /** Reads a number, or a text that is a number. */
  number(key: string): number | undefined {
    const value = this.#read<number | string>(key, 'a number', isNumeric);
    return value === undefined ? undefined : Number(value);
  }

  /** Reads true, false, 0 or 1. */
  flag(key: string): boolean | undefined {
    const value = this.#read<unknown>(key, 'true, false, 0 or 1', (given) =>
      [true, false, 0, 1].includes(given as never),
    );
    return value === undefined ? undefined : Boolean(value);
  }

  scalar(key: string): string | number | boolean | undefined {
    return this.#read(key, 'a text, a number or a boolean', (value) =>
      ['string', 'number', 'boolean'].includes(typeof value),
    );
  }

  scalarOrList(key: string): string | number | boolean | readonly unknown[] | undefined {
    return Array.isArray(this.#value[key]) ? this.list(key) : this.scalar(key);
  }

  /** Returns the fields of a nested mapping. */
  inside(key: string, value: Mapping): DocumentFields {
    return new DocumentFields(this.#source, [...this.#path, key], value, this.#log);
  }

  list(key: string): readonly unknown[] | undefined {
    return this.#read(key, 'a list', Array.isArray);
  }

  mapping(key: string): Mapping | undefined {
    return this.#read(key, 'a mapping', isMapping);
  }

  /** Reads a list of mappings. */
  items(key: string): DocumentFields[] {
    return (this.list(key) ?? []).flatMap((item, index) => {
      const path = [...this.#path, key, index];
      if (isMapping(item)) return [new DocumentFields(this.#source, path, item, this.#log)];
      const problem = this.#source.problem(path, 'invalid value', { expected: 'a mapping', got: describeValue(item) });
      this.#log.problems.push(problem);
      return [];
    });
  }

  /** Returns the position of a key, or without a key, of the mapping. */
  place(key?: string): SourcePlace {
    const path = key === undefined ? this.#path : [...this.#path, key];
    const { file, line, column } = this.#source.problem(path, '', key === undefined ? {} : { at: 'key' });
    return { file, line, column };
  }

  change(key: string, message: string): void {
    this.#log.changes.push(this.#source.problem([...this.#path, key], message, { at: 'key' }));
  }

  reject(key: string, message: string, facts: { readonly expected?: string; readonly got?: string } = {}): void {
    this.#log.problems.push(this.#source.problem([...this.#path, key], message, facts));
  }

  /** Reports all keys that are not in `known`. Unknown keys are dropped. */
  reportUnknown(known: readonly string[]): void {
    for (const key of Object.keys(this.#value)) {
      if (!known.includes(key)) this.change(key, 'unknown key: dropped');
    }
  }

  #read<T>(key: string, expected: string, accepts: (value: unknown) => boolean): T | undefined {
    if (!this.has(key)) return undefined;
    const value = this.#value[key];
    if (accepts(value)) return value as T;
    this.reject(key, 'invalid value', { expected, got: describeValue(value) });
    return undefined;
  }
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()));
}

import type { Cell, ResultSet } from '../databases/interface/database.js';
import type { Endpoint, EndpointChoices } from '../definitions/endpoint/endpoint.js';

export interface ChoiceRefresh {
  /** Refreshes only choices that read one of these tables; undefined for all tables. */
  readonly tables?: ReadonlySet<string>;
  /** Whether only expired choices are refreshed. */
  readonly onlyDue?: boolean;
}

/** A query for allowed values that failed. The previous values stay in use. */
export interface ChoiceFailure {
  readonly endpoint: string;
  readonly parameter: string;
  readonly cause: unknown;
}

export interface ChoiceParts {
  readonly stopwatch: () => number;
  readonly run: (endpoint: Endpoint, choices: EndpointChoices) => Promise<ResultSet>;
  /** Called when a query returned other values than before. */
  readonly onChange: () => void;
}

/** The maximum number of allowed values. */
export const MAX_CHOICES = 10_000;

interface Loaded {
  readonly values: readonly (string | number)[];
  readonly at: number;
}

/** Runs the queries for allowed values. Equal queries of several definitions run once, and their values survive a reload. */
export class ChoiceValues {
  readonly #parts: ChoiceParts;
  #loaded = new Map<string, Loaded>();

  constructor(parts: ChoiceParts) {
    this.#parts = parts;
  }

  /** Sets the known values on these endpoints, for example after a reload, and forgets the values of all other endpoints. */
  keep(endpoints: readonly Endpoint[]): void {
    const kept = new Map<string, Loaded>();
    for (const { choices, key } of choicesOf(endpoints)) {
      const known = this.#loaded.get(key);
      if (known === undefined) continue;
      kept.set(key, known);
      setValues(choices, known);
    }
    this.#loaded = kept;
  }

  /** Runs the queries. Returns those that failed. */
  async refresh(endpoints: readonly Endpoint[], refresh: ChoiceRefresh): Promise<ChoiceFailure[]> {
    const results = new Map<string, Promise<Loaded>>();
    const placed = choicesOf(endpoints);
    // A query that ran during a reload has set its values only on the endpoints before the reload.
    for (const { choices, key } of placed) setValues(choices, this.#loaded.get(key));
    const all = placed.filter((one) => this.#isWanted(one, refresh));
    const work = all.map(async ({ endpoint, parameter, choices, key }): Promise<ChoiceFailure | undefined> => {
      const result = results.get(key) ?? this.#load(endpoint, parameter, choices);
      results.set(key, result);
      try {
        setValues(choices, this.#store(key, await result));
        return undefined;
      } catch (cause) {
        return { endpoint: endpoint.definition.name, parameter, cause };
      }
    });
    return (await Promise.all(work)).filter((failure) => failure !== undefined);
  }

  #isWanted({ choices, key }: PlacedChoices, { tables, onlyDue = false }: ChoiceRefresh): boolean {
    if (tables !== undefined && ![...choices.query.tables].some((table) => tables.has(table))) return false;
    const at = this.#loaded.get(key)?.at;
    return !onlyDue || at === undefined || this.#parts.stopwatch() - at >= choices.refreshMs;
  }

  /** Stores a result unless a newer one is known, and returns the newest. A query that started earlier can end later. */
  #store(key: string, loaded: Loaded): Loaded {
    const known = this.#loaded.get(key);
    if (known !== undefined && known.at > loaded.at) return known;
    this.#loaded.set(key, loaded);
    if (JSON.stringify(known?.values) !== JSON.stringify(loaded.values)) this.#parts.onChange();
    return loaded;
  }

  async #load(endpoint: Endpoint, parameter: string, choices: EndpointChoices): Promise<Loaded> {
    const at = this.#parts.stopwatch();
    const { rows, more } = await this.#parts.run(endpoint, choices);
    if (more) throw new Error(`the query returns more than ${MAX_CHOICES} values`);
    const { type, items } = endpoint.parameters[parameter] ?? {};
    return { at, values: [...new Set(rows.map(([cell]) => toChoice(cell, items?.type ?? type)))] };
  }
}

function setValues({ choices }: EndpointChoices, loaded: Loaded | undefined): void {
  if (loaded !== undefined && choices.values !== loaded.values) choices.set(loaded.values);
}

interface PlacedChoices {
  readonly endpoint: Endpoint;
  readonly parameter: string;
  readonly choices: EndpointChoices;
  /** Choices with equal keys have the same values. */
  readonly key: string;
}

function choicesOf(endpoints: readonly Endpoint[]): PlacedChoices[] {
  return endpoints.flatMap((endpoint) =>
    [...endpoint.choices].map(([parameter, choices]) => {
      const { type, items } = endpoint.parameters[parameter] ?? {};
      const key = JSON.stringify([items?.type ?? type, choices.query.texts.map(({ sql }) => sql)]);
      return { endpoint, parameter, choices, key };
    }),
  );
}

/** Converts a cell to a value of the type of the parameter. Throws if that is not possible. */
function toChoice(cell: Cell | undefined, type: string | undefined): string | number {
  const text = cell === null || cell === undefined ? 'NULL' : String(cell);
  if (type === 'string' && text !== '' && cell !== null) return text;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (type === 'number' && Number.isFinite(value)) return value;
  if (type === 'integer' && Number.isSafeInteger(value)) return value;
  throw new Error(`the query returns ${JSON.stringify(text)}, which is not a value of type ${type}`);
}

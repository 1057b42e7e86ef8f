import { hash } from 'node:crypto';
import type { EndpointDefinition } from '../definition/definition.js';
import type { QueryText } from '../query/compiled-query.js';
import { CLOCK_UNITS, type ClockUnit } from '../template/template-output.js';
import type { Variant } from '../template/template-variants.js';

/** What the answers of an endpoint depend on, besides the parameters. */
export interface Dependencies {
  /** The tables that the queries read, in lower case. A view counts as a table. */
  readonly tables: ReadonlySet<string>;
  /** The shortest unit of the clock that the queries use; undefined if they do not use the clock. */
  readonly clock: ClockUnit | undefined;
  /**
   * SHA-256 of the definition with its shared parts, and of every text of its queries. In one version of the program, answers
   * of endpoints with equal hashes differ only because of parameters, data and time.
   */
  readonly contentHash: string;
}

/** What the result of a query depends on, besides the parameters. */
export interface QueryDependencies extends Pick<Dependencies, 'tables' | 'clock'> {
  /** Every text that the query can produce, with lists of one value and of the maximum length. */
  readonly texts: readonly QueryText[];
}

export function findDependencies(definition: EndpointDefinition, queries: readonly QueryDependencies[]): Dependencies {
  return {
    tables: new Set(queries.flatMap((query) => [...query.tables])),
    clock: shortestUnit(queries.map((query) => query.clock)),
    contentHash: hashContent(definition, queries),
  };
}

/** Returns the shortest unit of the clock that the variants of a query use. */
export function clockOf(variants: readonly Variant[]): ClockUnit | undefined {
  const pieces = variants.flatMap((variant) => variant.pieces);
  return shortestUnit(pieces.map((piece) => ('output' in piece ? piece.output.clock : undefined)));
}

function shortestUnit(units: readonly (ClockUnit | undefined)[]): ClockUnit | undefined {
  return CLOCK_UNITS.find((unit) => units.includes(unit));
}

function hashContent(definition: EndpointDefinition, queries: readonly QueryDependencies[]): string {
  const texts = queries.map((query) => query.texts.map(({ sql }) => sql));
  return hash('sha256', JSON.stringify([definition, texts]));
}

import type { EndpointDefinition } from '../definition/definition.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { type Ending, type QueryText, readPages } from '../query/compiled-query.js';
import type { Variants } from '../template/template-variants.js';

/** How the pages of an endpoint follow each other. */
export interface PageKeys {
  /**
   * Returns the places of the cells of a row that state its position in the order. Undefined if the order of these rows cannot
   * be continued. Places after those of the declared columns are those of columns that the query returns in addition.
   */
  placesOf(values: ParameterValues): readonly number[] | undefined;
  /** For each variant, the query for the rows after a row, for checks. */
  readonly texts: readonly QueryText[];
}

/** Returns the keys of the variants; undefined if no variant has an order that can be continued. */
export function findPageKeys(
  { columns }: EndpointDefinition,
  variants: Variants,
  ending: Ending,
): PageKeys | undefined {
  const places = new Map<unknown, readonly number[]>();
  const texts: QueryText[] = [];
  for (const { variant, keys, sql } of readPages(variants, ending)) {
    let added = 0;
    const ofKeys = keys.map(({ column, expression }) => {
      if (expression === undefined) return columns.findIndex(({ col }) => col === column);
      added += 1;
      return columns.length + added - 1;
    });
    places.set(variant, ofKeys);
    texts.push({ choices: variant.choices, sql });
  }
  if (places.size === 0) return undefined;
  return { placesOf: (values) => places.get(variants.select(values)), texts };
}

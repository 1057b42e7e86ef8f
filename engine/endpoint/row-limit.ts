import type { EndpointDefinition, ParameterDefinition } from '../definition/definition.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { type Ending, NO_ENDING } from '../query/compiled-query.js';
import type { Variant } from '../template/template-variants.js';

/** Offsets fit into a signed 32-bit integer, which every database accepts. */
const MAX_OFFSET = 2 ** 31 - 1;

type Pagination = NonNullable<EndpointDefinition['pagination']>;

/** Creates the parameters that `pagination` adds. */
export function pageParameters(pagination: Pagination): Record<'page' | 'page_size', ParameterDefinition> {
  return {
    page: {
      in: 'query',
      type: 'integer',
      minimum: 1,
      maximum: lastPage(pagination),
      default: 1,
      description: 'Page number, counted from 1.',
    },
    page_size: {
      in: 'query',
      type: 'integer',
      minimum: 1,
      maximum: pagination.max,
      default: pagination.default,
      description: 'Rows per page.',
    },
  };
}

/** The row limit of an answer, and the number of its next page. */
export interface RowLimits {
  /** Returns the maximum number of rows of an answer. */
  rowLimit(values: ParameterValues): number;
  /** Returns the number of the next page; undefined without pagination, and after the last page that can be requested. */
  nextPage(values: ParameterValues): number | undefined;
  /**
   * The LIMIT that is added to a statement without a LIMIT. It requests one additional row, which shows whether more
   * rows exist.
   */
  readonly ending: Ending;
}

/** Creates the limits of an endpoint. `limited` contains the variants in which the author wrote a LIMIT. */
export function rowLimits({ pagination, limits }: EndpointDefinition, limited: ReadonlySet<Variant>): RowLimits {
  if (pagination === undefined) {
    return { rowLimit: () => limits.rows, nextPage: () => undefined, ending: limitEnding(limits.rows, limited) };
  }
  return {
    rowLimit: (values) => Number(values.page_size),
    nextPage: ({ page }) => (Number(page) < lastPage(pagination) ? Number(page) + 1 : undefined),
    ending: {
      clause: (variant, markers) => (limited.has(variant) ? '' : `\nLIMIT :p${markers + 1} OFFSET :p${markers + 2}`),
      values: ({ page, page_size }) => [Number(page_size) + 1, (Number(page) - 1) * Number(page_size)],
    },
  };
}

/** Creates the LIMIT for a fixed number of rows. `limited` contains the variants in which the author wrote a LIMIT. */
export function limitEnding(rows: number, limited: ReadonlySet<Variant>): Ending {
  const clause = `\nLIMIT ${rows + 1}`;
  return { ...NO_ENDING, clause: (variant) => (limited.has(variant) ? '' : clause) };
}

function lastPage({ max }: Pagination): number {
  return Math.floor(MAX_OFFSET / max);
}

import type { EndpointDefinition, ParameterDefinition } from '../definition/definition.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { type Ending, NO_ENDING } from '../query/compiled-query.js';
import type { Variant } from '../template/template-variants.js';

/** Offsets stay inside a signed 32-bit integer, which every database takes. */
const MAX_OFFSET = 2 ** 31 - 1;

type Pagination = NonNullable<EndpointDefinition['pagination']>;

/** The parameters that `pagination` adds. */
export function pageParameters(pagination: Pagination): Record<'page' | 'page_size', ParameterDefinition> {
  return {
    page: {
      in: 'query',
      type: 'integer',
      minimum: 1,
      maximum: lastPage(pagination),
      default: 1,
      description: 'The page, counted from 1.',
    },
    page_size: {
      in: 'query',
      type: 'integer',
      minimum: 1,
      maximum: pagination.max,
      default: pagination.default,
      description: 'Rows of a page.',
    },
  };
}

/** How many rows an answer has, and where the next page is. */
export interface RowLimits {
  /** The most rows of an answer to these values. */
  rowLimit(values: ParameterValues): number;
  /** The page after the one of these values; undefined without pagination, and after the last page that may be requested. */
  nextPage(values: ParameterValues): number | undefined;
  /** The LIMIT of a statement that has none: one row more than is shown tells whether there are more. */
  readonly ending: Ending;
}

/** `limited` are the variants that have their own LIMIT. */
export function rowLimits({ pagination, limits }: EndpointDefinition, limited: ReadonlySet<Variant>): RowLimits {
  if (pagination === undefined) {
    const clause = `\nLIMIT ${limits.rows + 1}`;
    return {
      rowLimit: () => limits.rows,
      nextPage: () => undefined,
      ending: { ...NO_ENDING, clause: (variant) => (limited.has(variant) ? '' : clause) },
    };
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

function lastPage({ max }: Pagination): number {
  return Math.floor(MAX_OFFSET / max);
}

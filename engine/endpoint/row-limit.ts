import type { EndpointDefinition, ParameterDefinition } from '../definition/definition.js';
import type { BoundValue } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';

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

/** The most rows of one answer. */
export function rowLimit({ pagination, limits }: EndpointDefinition, values: ParameterValues): number {
  return pagination === undefined ? limits.rows : Number(values.page_size);
}

/** The page after that of these values, if there can be one. */
export function nextPage({ pagination }: EndpointDefinition, values: ParameterValues): number | undefined {
  const page = Number(values.page);
  return pagination !== undefined && page < lastPage(pagination) ? page + 1 : undefined;
}

/** The end of a statement that has no LIMIT of its own: one row more than is shown tells whether there are more. */
export function limitClause({ pagination, limits }: EndpointDefinition, markers: number): string {
  return pagination === undefined ? `\nLIMIT ${limits.rows + 1}` : `\nLIMIT :p${markers + 1} OFFSET :p${markers + 2}`;
}

/** The values of the markers that `limitClause` adds. */
export function limitValues({ pagination }: EndpointDefinition, values: ParameterValues): BoundValue[] {
  if (pagination === undefined) return [];
  const size = Number(values.page_size);
  return [size + 1, (Number(values.page) - 1) * size];
}

function lastPage({ max }: Pagination): number {
  return Math.floor(MAX_OFFSET / max);
}

import { LRUCache } from 'lru-cache';
import type { OrderFault } from '../../sql/paging/page-order.js';
import { type PageQuery, readPageQuery } from '../../sql/paging/page-query.js';
import type { EndpointDefinition, ParameterDefinition } from '../definition.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { type Ending, NO_ENDING, type PageEnding } from '../query/compiled-query.js';
import { canBeKey } from '../query/page-position.js';
import type { Variant } from '../template/template-variants.js';

/** The maximum offset: a signed 32-bit integer, which every database accepts. */
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

/** The maximum number of characters of a cursor, so that the URL of a request stays short. */
export const CURSOR_LENGTH = { max: 2000 };

/** The additional parameter of endpoints with cursors. */
export const CURSOR_PARAMETER: ParameterDefinition = {
  in: 'query',
  type: 'string',
  maxLength: CURSOR_LENGTH.max,
  pattern: '^[A-Za-z0-9_-]+$',
  replaces: 'page',
  description: 'The `next_cursor` of the previous page, instead of `page`. All other parameters must be the same.',
};

/** The row limit of an answer, and the number of its next page. */
export interface RowLimits {
  /** Returns the maximum number of rows of an answer. */
  rowLimit(values: ParameterValues): number;
  /** Returns the number of the next page; undefined without pagination, or if the offset of the next page would be too large. */
  nextPage(values: ParameterValues): number | undefined;
  /**
   * The LIMIT that is added to a statement without a LIMIT. The LIMIT requests one additional row, which shows whether
   * more rows exist.
   */
  readonly ending: Ending;
}

/** Creates the limits of an endpoint. `limited` contains the variants in which the author wrote a LIMIT. */
export function rowLimits(definition: EndpointDefinition, limited: ReadonlySet<Variant>): RowLimits {
  const { pagination, limits } = definition;
  if (pagination === undefined) {
    return { rowLimit: () => limits.rows, nextPage: () => undefined, ending: limitEnding(limits.rows, limited) };
  }
  return {
    rowLimit: (values) => Number(values.page_size),
    nextPage: ({ page }) => (page !== null && Number(page) < lastPage(pagination) ? Number(page) + 1 : undefined),
    ending: {
      clause: (variant, markers) => (limited.has(variant) ? '' : `\nLIMIT :p${markers + 1} OFFSET :p${markers + 2}`),
      values: ({ page, page_size }) => [Number(page_size) + 1, (Number(page) - 1) * Number(page_size)],
      pages: pageEnding(definition),
    },
  };
}

/** The number of SQL texts whose page order is cached. One load of the definitions reads each text several times. */
const MAX_REMEMBERED = 1000;

function pageEnding({ columns }: EndpointDefinition): PageEnding {
  const names = columns.map(({ col }) => col);
  const isExact = (name: string) => columns.every(({ col, data_type }) => col !== name || canBeKey(data_type));
  const known = new LRUCache<string, PageQuery | OrderFault>({ max: MAX_REMEMBERED });
  return {
    clause: (_, markers) => `\nLIMIT :p${markers + 1}`,
    values: ({ page_size }) => [Number(page_size) + 1],
    read: (sql, isClock) => {
      const query = known.get(sql) ?? readPageQuery(sql, { columns: names, isExact, isClock });
      known.set(sql, query);
      return query;
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

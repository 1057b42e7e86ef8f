import type { ServedPage } from '../../console/pages/next-pages.js';
import type { Block } from '../../console/pages/page.js';
import type { Endpoint, Engine } from '../../engine/index.js';
import { describeParameters } from '../../http/description/formats/parameters.js';
import type { PageBlock, PageDetails } from './answers.js';
import { writtenRules } from './written-rules.js';

/** Describes a page for the console. Blocks without a chart get the one of their definition. */
export function describePage({ page, outdated }: ServedPage, engine: Pick<Engine, 'endpoints'>): PageDetails {
  const { name, path, title, summary, params, blocks } = page;
  return {
    ...{ name, path, title, summary },
    state: outdated === undefined ? 'served' : 'outdated',
    parameters: describeParameters({ path, parameters: params }).map(({ in: place, ...parameter }) => ({
      ...parameter,
      place,
      hasChoices: false,
      ...writtenRules(parameter.name, params),
    })),
    blocks: blocks.map((block) => {
      const endpoint = engine.endpoints.find(({ definition }) => definition.name === block.endpoint);
      return describeBlock(block, endpoint);
    }),
  };
}

/** Describes a block. `endpoint` is undefined for a text, and for a definition that was removed. */
function describeBlock(block: Block, endpoint: Endpoint | undefined): PageBlock {
  const { title, text = null, params, width, rows = null } = block;
  const pagination = endpoint?.definition.pagination;
  const canLimit = rows !== null && pagination !== undefined && !Object.hasOwn(params, 'page_size');
  return {
    title: title ?? endpoint?.definition.summary ?? block.endpoint ?? null,
    ...{ text, endpoint: block.endpoint ?? null, params, width, rows },
    chart: block.chart ?? endpoint?.definition.chart ?? null,
    columns: endpoint?.definition.columns.length ?? 0,
    pageSize: canLimit ? Math.min(rows, pagination.max) : null,
  };
}

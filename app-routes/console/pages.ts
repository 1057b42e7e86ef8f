import { findPage } from '../../console/pages/match-path.js';
import type { PagesState, ServedPage } from '../../console/pages/next-pages.js';
import type { Block } from '../../console/pages/page.js';
import type { BrokenPage } from '../../console/pages/page-loader.js';
import { describeParameters } from '../../engine/http/description/formats/parameters.js';
import { exactObject } from '../../engine/http/json-schema.js';
import type { OpenOperation } from '../../engine/http/operations/operation.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { createParameterReader, type Endpoint, type Engine } from '../../engine/index.js';
import type { PageBlock, PageDetails, PageSummary } from './answers.js';
import { describeForConsole } from './definitions.js';
import { DETAILS, SUMMARY, VALUES } from './page-schemas.js';
import { writtenRules } from './written-rules.js';

/** `/console/pages/` returns the pages of the console, which are files. The operations run no query. */
export function pageOperations(engine: Engine, state: () => PagesState): OpenOperation[] {
  return [
    {
      ...COMMON,
      id: 'list-pages',
      path: '/console/pages/',
      summary: 'Lists the pages of the console',
      description: 'Sorted by name. Broken pages are in the list.',
      answer: exactObject('PageList', { data: { type: 'array', items: exactObject('PageSummary', SUMMARY) } }),
      handle: () => ({ headers: NOT_STORED, body: { data: listPages(state()) } }),
    },
    {
      ...COMMON,
      id: 'get-page',
      path: '/console/pages/{pageName}/',
      summary: 'Describes a page of the console: its parameters and blocks',
      parameters: { pageName: { ...TEXT, in: 'path', description: 'Name of the page.', example: 'collections' } },
      answer: exactObject('PageDetails', DETAILS),
      errors: ['page_not_found', 'page_broken'],
      handle: ({ parameters }) => {
        const page = pageNamed(state(), String(parameters.pageName));
        return { headers: NOT_STORED, body: describePage(page, engine) };
      },
    },
    {
      ...COMMON,
      id: 'find-page',
      path: '/console/page/',
      summary: 'Describes the page of a path, with the values of the parameters in the path',
      parameters: {
        path: {
          ...{ type: 'string', in: 'query', required: true, maxLength: 1_000 },
          description: 'The path, which begins with /p/.',
          example: '/p/collections',
        },
      },
      answer: exactObject('FoundPage', { ...DETAILS, values: VALUES }),
      errors: ['page_not_found', 'page_broken'],
      handle: ({ parameters }) => {
        const { page, values } = pageAt(state(), String(parameters.path));
        return { headers: NOT_STORED, body: { ...describePage(page, engine), values } };
      },
    },
  ];
}

const COMMON = { access: 'open', tag: 'Console', method: 'get' } as const;
const TEXT = { type: 'string', maxLength: 100 } as const;
/** No caching, because the pages change with each reload. */
const NOT_STORED = { 'Cache-Control': 'no-cache' } as const;

function listPages({ pages, broken }: PagesState): PageSummary[] {
  const served = pages.map(({ page: { name, path, title, summary }, outdated }): PageSummary => {
    return { name, path, title, summary, state: outdated === undefined ? 'served' : 'outdated' };
  });
  const unserved = broken.map(({ name = null, path = null }): PageSummary => {
    return { name, path, title: null, summary: null, state: 'broken' };
  });
  return [...served, ...unserved].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

/** Returns a page by its name. Throws `page_not_found` and `page_broken`. */
function pageNamed({ pages, broken }: PagesState, name: string): ServedPage {
  const page = pages.find((one) => one.page.name === name);
  if (page !== undefined) return page;
  const wrong = broken.find((one) => one.name === name);
  if (wrong !== undefined) throw brokenProblem(wrong);
  throw new HttpProblem('page_not_found', `There is no page named ${name}. /console/pages/ lists all pages.`);
}

/** Returns the page at a path. Throws `page_not_found`, `page_broken`, and `bad_parameter` for a value that the page rejects. */
export function pageAt(
  { pages, broken }: PagesState,
  path: string,
): { readonly page: ServedPage; readonly values: Readonly<Record<string, string>> } {
  const match = findPage(pages, (one) => one.page.path, path);
  if (match !== undefined) return { page: match.found, values: readValues(match.found, match.values) };
  const wrong = findPage(broken, (one) => one.path ?? '', path);
  if (wrong !== undefined) throw brokenProblem(wrong.found);
  throw new HttpProblem('page_not_found', `There is no page at ${path}. /console/pages/ lists all pages.`);
}

function readValues({ page: { params } }: ServedPage, values: Readonly<Record<string, string>>): typeof values {
  const ofPath = Object.fromEntries(Object.entries(params).filter(([, parameter]) => parameter.in === 'path'));
  createParameterReader(ofPath)({ path: values, query: {} });
  return values;
}

function brokenProblem({ name = 'This page', problems }: BrokenPage): HttpProblem {
  const [{ line, key } = { line: 1, key: '' }] = problems;
  const place = key === '' ? `line ${line}` : `line ${line}, ${key}`;
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems, the first`;
  const message = `${name} is unavailable: its file has ${count} (${place}). Operators find the reason in the log and with \`endpoint check\`.`;
  return new HttpProblem('page_broken', message);
}

/** Describes a page for the console. Blocks without a chart get the chart of their definition. */
function describePage({ page, outdated }: ServedPage, engine: Pick<Engine, 'endpoints'>): PageDetails {
  const { name, path, title, title_from: titleFrom = null, summary, params, blocks } = page;
  return {
    ...{ name, path, title, titleFrom, summary },
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
    access: endpoint?.definition.access ?? null,
    chart: block.chart ?? endpoint?.definition.chart ?? null,
    definitionChart: endpoint?.definition.chart ?? null,
    columns: describeForConsole(endpoint?.definition.columns ?? []),
    pageSize: canLimit ? Math.min(rows, pagination.max) : null,
  };
}

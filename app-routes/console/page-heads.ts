import type { PagesState, ServedPage } from '../../console/pages/next-pages.js';
import { type Block, fillPlaces, onlyPlace } from '../../console/pages/page.js';
import { isSameChart } from '../../engine/charts/fitting-charts.js';
import { isDrawn } from '../../engine/charts/options/fitting-height.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { queryText } from '../../engine/http/requests/read-request.js';
import { type Endpoint, type Engine, EngineError, type RawParameters } from '../../engine/index.js';
import type { PageHead } from './head-tags.js';
import { pageAt } from './pages.js';
import { chosenValues, subtitleOf } from './shared-result.js';

/**
 * Returns the function that finds the title and the status of a page of the console by its URL. `title` is used for a page that shows
 * neither a definition nor a page file.
 */
export function createPageHeads(engine: Engine, pages: () => PagesState): (url: string, title: string) => PageHead {
  return (url, title) => {
    const [path = ''] = url.split('?');
    if (path.startsWith('/p/')) return dataPageHead(engine, pages(), url);
    const [, name] = /^(?:\/embed)?\/e\/([^/]+)\/?$/.exec(path) ?? [];
    return name === undefined ? { status: 200, title } : endpointHead(engine, decodeName(name), url);
  };
}

function dataPageHead(engine: Engine, pages: PagesState, url: string): PageHead {
  try {
    const [path = ''] = url.split('?');
    const { page, values } = pageAt(pages, path);
    const image = pageImage(engine, page, { ...defaultsOf(page), ...searchValues(url), ...values });
    const title = fillPlaces(page.page.title, values);
    return { status: 200, title, description: page.page.summary, ...(image !== undefined && { image }) };
  } catch (error) {
    if (error instanceof HttpProblem) return { status: error.status, title: 'Page' };
    if (error instanceof EngineError) return { status: 404, title: 'Page' };
    throw error;
  }
}

type Values = Readonly<Record<string, string>>;

function defaultsOf({ page: { params } }: ServedPage): Values {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

/** Returns the values in a query string. Unlike in a request for data, an unreadable value must not make a page fail. */
function searchValues(url: string): Values {
  return Object.fromEntries(new URLSearchParams(queryText(url)));
}

/**
 * Returns the path of the image of the first chart of a page that has the chart of its definition. Other sites cannot read images of
 * definitions that are not public.
 */
function pageImage({ endpoints }: Pick<Engine, 'endpoints'>, { page }: ServedPage, values: Values): string | undefined {
  for (const { endpoint: name, chart, params } of page.blocks) {
    const endpoint = endpoints.find((one) => one.definition.name === name);
    if (endpoint === undefined || endpoint.definition.access !== undefined) continue;
    const { chart: declared } = endpoint.definition;
    const shown = chart ?? declared;
    if (shown === undefined || !isDrawn({ title: '', ...shown }) || !isSameChart(shown, declared ?? shown)) continue;
    const query = readableQuery(endpoint, fillParams(params, values));
    if (query !== undefined) return `e/${encodeURIComponent(endpoint.definition.name)}.png${query}`;
  }
  return undefined;
}

/** Returns the parameters of a block. A parameter whose placeholder has no value is omitted. */
function fillParams(params: Block['params'], values: Values): RawParameters['query'] {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const texts = [value].flat().map(String);
      const isMissing = texts.map(onlyPlace).some((place) => place !== undefined && !Object.hasOwn(values, place));
      return isMissing ? [] : [[name, texts.map((text) => fillPlaces(text, values)).join(',')]];
    }),
  );
}

/** Writes parameters of a definition as a query string. Undefined if the definition rejects them. */
function readableQuery(endpoint: Endpoint, query: RawParameters['query']): string | undefined {
  try {
    endpoint.readParameters({ path: {}, query });
  } catch {
    return undefined;
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const text of [value].flat()) search.append(name, text);
  return search.size === 0 ? '' : `?${search}`;
}

function endpointHead(engine: Engine, name: string, url: string): PageHead {
  try {
    const endpoint = engine.endpoint(name);
    const { summary, description, access } = endpoint.definition;
    const head = { status: 200, title: summary, ...(description !== undefined && { description }) };
    const values = declaredValues(endpoint, url);
    const query = readableQuery(endpoint, values);
    // Values that the definition rejects are not shown, so that no other text in a link becomes part of the title.
    if (query === undefined) return head;
    const shown = subtitleOf(values, endpoint);
    return {
      ...head,
      title: shown === '' ? summary : `${summary} · ${shown}`,
      // Other sites cannot read the result of a definition that is not public.
      ...(access === undefined && { image: `e/${name}.png${query}`, feed: `feed/${name}.atom${query}` }),
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { status: error.code === 'endpoint_not_found' ? 404 : 503, title: name };
  }
}

function declaredValues({ parameters }: Endpoint, url: string): RawParameters['query'] {
  try {
    return Object.fromEntries(Object.entries(chosenValues(url)).filter(([name]) => Object.hasOwn(parameters, name)));
  } catch {
    return {};
  }
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

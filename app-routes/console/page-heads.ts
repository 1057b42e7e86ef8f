import type { PagesState, ServedPage } from '../../console/pages/next-pages.js';
import { type Block, fillPlaces, onlyPlace } from '../../console/pages/page.js';
import { isDrawn } from '../../engine/charts/options/fitting-height.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { queryText } from '../../engine/http/requests/read-request.js';
import { type Engine, EngineError } from '../../engine/index.js';
import type { PageHead } from './head-tags.js';
import { pageAt } from './pages.js';
import { subtitleOf } from './shared-result.js';

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
    const image = pageImage(engine, page, { ...searchValues(url), ...values });
    const title = fillPlaces(page.page.title, values);
    return { status: 200, title, description: page.page.summary, ...(image !== undefined && { image }) };
  } catch (error) {
    if (error instanceof HttpProblem) return { status: error.status, title: 'Page' };
    if (error instanceof EngineError) return { status: 404, title: 'Page' };
    throw error;
  }
}

/** Returns the path of the image of the first chart of a page. Other sites cannot read images of definitions that are not public. */
function pageImage(
  { endpoints }: Pick<Engine, 'endpoints'>,
  { page: { blocks } }: ServedPage,
  values: Readonly<Record<string, string>>,
): string | undefined {
  for (const { endpoint: name, chart, params } of blocks) {
    const definition = endpoints.find((one) => one.definition.name === name)?.definition;
    const shown = chart ?? definition?.chart;
    if (definition === undefined || definition.access !== undefined || shown === undefined) continue;
    if (isDrawn({ title: '', ...shown }))
      return `e/${encodeURIComponent(definition.name)}.png${writeQuery(params, values)}`;
  }
  return undefined;
}

/** Writes the parameters of a block as a query string. A parameter whose placeholder has no value is omitted. */
function writeQuery(params: Block['params'], values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const texts = [value].flat().map(String);
    const isMissing = texts.some(
      (text) => !Object.hasOwn(values, onlyPlace(text) ?? '') && onlyPlace(text) !== undefined,
    );
    if (!isMissing) query.set(name, texts.map((text) => fillPlaces(text, values)).join(','));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Returns the values in a query string. Unlike the query of a request for data, an unreadable one must not make a page fail. */
function searchValues(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(queryText(url)));
}

function endpointHead(engine: Engine, name: string, url: string): PageHead {
  try {
    const { definition, parameters } = engine.endpoint(name);
    const { summary, description, access } = definition;
    // Only declared parameters are shown, so that no other text in a link becomes part of the title.
    const declared = Object.entries(searchValues(url)).filter(([key]) => Object.hasOwn(parameters, key));
    const query = declared.length === 0 ? '' : `?${new URLSearchParams(declared)}`;
    const shown = subtitleOf(Object.fromEntries(declared), definition);
    return {
      status: 200,
      title: shown === '' ? summary : `${summary} · ${shown}`,
      ...(description !== undefined && { description }),
      // Other sites cannot read the result of a definition that is not public.
      ...(access === undefined && { image: `e/${name}.png${query}`, feed: `feed/${name}.atom${query}` }),
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { status: error.code === 'endpoint_not_found' ? 404 : 503, title: name };
  }
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { PagesState } from '../../console/pages/next-pages.js';
import { fillPlaces } from '../../console/pages/page.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { type Engine, EngineError } from '../../engine/index.js';
import type { PageHead } from './head-tags.js';
import { pageAt } from './pages.js';

/**
 * Returns the function that finds the title and the status of a page of the console by its path. `title` is used for a page that shows
 * neither a definition nor a page file.
 */
export function createPageHeads(engine: Engine, pages: () => PagesState): (path: string, title: string) => PageHead {
  return (path, title) => {
    if (path.startsWith('/p/')) return dataPageHead(pages(), path);
    const [, name] = /^(?:\/embed)?\/e\/([^/]+)\/?$/.exec(path) ?? [];
    return name === undefined ? { status: 200, title } : endpointHead(engine, decodeName(name));
  };
}

function dataPageHead(pages: PagesState, path: string): PageHead {
  try {
    const { page, values } = pageAt(pages, path);
    return { status: 200, title: fillPlaces(page.page.title, values), description: page.page.summary };
  } catch (error) {
    if (error instanceof HttpProblem) return { status: error.status, title: 'Page' };
    if (error instanceof EngineError) return { status: 404, title: 'Page' };
    throw error;
  }
}

function endpointHead(engine: Engine, name: string): PageHead {
  try {
    const { summary, description, access } = engine.endpoint(name).definition;
    return {
      status: 200,
      title: summary,
      ...(description !== undefined && { description }),
      // Other sites cannot read the image of a definition that is not public.
      ...(access === undefined && { image: `e/${name}.png` }),
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

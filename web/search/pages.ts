import { HAS_PLAYGROUND, OWN_API } from '../app/own-api.js';
import type { SearchResult } from './search-result.js';

/** The pages of the console, with additional words by which they are found. */
const PAGES: readonly (SearchResult & { readonly words: string })[] = [
  {
    path: '/',
    title: 'Start page',
    detail: OWN_API === undefined ? 'Trends, coverage and freshness' : 'What the API is about',
    words: 'home overview trending data gaps',
  },
  {
    path: '/p/collections',
    title: 'Collections',
    detail: 'Which collections grow fastest',
    words: 'groups ranking growth',
  },
  { path: '/p/compare', title: 'Compare repositories', detail: 'Two to ten repositories', words: 'versus vs stars' },
  { path: '/e', title: 'All endpoints', detail: 'Every query of the service', words: 'definitions queries' },
  {
    path: '/ask',
    title: 'Ask a question',
    detail: 'An answer with its SQL',
    words: 'explorer ai model natural language',
  },
  { path: '/playground', title: 'SQL playground', detail: 'Write a query', words: 'editor select tables' },
  { path: '/account', title: 'Account', detail: 'Sign in, subscriptions', words: 'login user e-mail' },
  {
    path: '/operator',
    title: 'Operator',
    detail: 'State of the service, for trusted users',
    words: 'status imports lag cache slow broken health',
  },
  { path: '/docs', title: 'API reference', detail: 'Try every operation', words: 'swagger openapi', isOutside: true },
];

/** The pages of an API in a folder. */
const OWN_API_PATHS = ['/', '/e', '/docs', ...(HAS_PLAYGROUND ? ['/playground'] : [])];

/** Returns the pages that contain all words of a text; all pages for an empty text. */
export function matchPages(text: string): SearchResult[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return PAGES.filter(({ path, title, detail, words: more }) => {
    if (OWN_API !== undefined && !OWN_API_PATHS.includes(path)) return false;
    const all = `${title} ${detail} ${more}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

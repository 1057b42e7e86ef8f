import type { PagesState } from '../../console/pages/next-pages.js';
import { escapeHtml } from '../../engine/http/escape-html.js';
import type { OpenOperation } from '../../engine/http/operations/operation.js';
import type { Engine } from '../../engine/index.js';

interface CrawlerParts {
  readonly engine: Pick<Engine, 'endpoints'>;
  readonly pages: () => PagesState;
  readonly publicUrl: string | undefined;
}

/** `/robots.txt` and `/sitemap.xml`, which search engines request at every site. */
export function crawlerOperations({ engine, pages, publicUrl }: CrawlerParts): OpenOperation[] {
  return [
    {
      ...COMMON,
      id: 'robots',
      path: '/robots.txt',
      summary: 'States which pages search engines may read',
      otherTypes: ['text/plain'],
      handle: () => ({ body: writeRobots(publicUrl), type: 'text/plain', headers: CHECKED }),
    },
    {
      ...COMMON,
      id: 'sitemap',
      path: '/sitemap.xml',
      summary: 'Lists the pages of the console for search engines',
      description:
        'Only with `PUBLIC_URL`, because the addresses in a sitemap are absolute. Without it, the list is empty.',
      otherTypes: ['application/xml'],
      handle: () => {
        const paths = publicUrl === undefined ? [] : [...pagePaths(pages()), ...endpointPaths(engine)];
        return {
          body: writeSitemap(paths.map((path) => `${publicUrl}${path}`)),
          type: 'application/xml',
          headers: CHECKED,
        };
      },
    },
  ];
}

const COMMON = { access: 'open', tag: 'Console', method: 'get' } as const;
const CHECKED = { 'Cache-Control': 'no-cache' } as const;

/** Pages about a caller are not for search engines. The data are, because the scripts of the pages read them. */
function writeRobots(publicUrl: string | undefined): string {
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const lines = ['User-agent: *', ...PRIVATE_PATHS.map((path) => `Disallow: ${prefix}${path}`)];
  return `${[...lines, ...(publicUrl === undefined ? [] : ['', `Sitemap: ${publicUrl}/sitemap.xml`])].join('\n')}\n`;
}

const PRIVATE_PATHS = ['/account', '/operator', '/embed/', '/sign-in/', '/user/'];

/** Returns the paths of pages without parameters. The pages of single repositories or people are too many to list. */
function pagePaths({ pages }: PagesState): readonly string[] {
  return ['/', '/e', ...pages.map(({ page }) => page.path).filter((path) => !path.includes('{'))];
}

function endpointPaths({ endpoints }: Pick<Engine, 'endpoints'>): readonly string[] {
  return endpoints.flatMap(({ definition: { name, access } }) =>
    access === undefined ? [`/e/${encodeURIComponent(name)}`] : [],
  );
}

function writeSitemap(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${escapeHtml(url)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`;
}

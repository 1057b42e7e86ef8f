import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { escapeHtml } from '../../engine/http/escape-html.js';
import { allowOnly } from '../../engine/http/operations/allowed-methods.js';
import type { ApplyLimit } from '../../engine/http/operations/operation.js';
import type { About } from '../home.js';
import { headTags, type PageHead } from './head-tags.js';
import { imageFormatOf } from './image-headers.js';
import { createChunkTags } from './page-chunks.js';

export interface ShellParts {
  /** The folder of the built console. */
  readonly folder: string;
  /** Returns the head of the page at a URL without its host. `title` is the default title of its path. */
  readonly headOf: (url: string, title: string) => PageHead;
  /** Origins whose pages may show `/embed/…` in a frame. */
  readonly embedOrigins: readonly string[];
  /** Applies the rate limit for requests for pages. */
  readonly applyLimit: ApplyLimit;
  /** The public URL of the service, if it is configured. */
  readonly publicUrl?: string | undefined;
  readonly about: About;
  /** The API in a folder that the service offers, without the pages for the data of GitHub. */
  readonly ownApi?: OwnApi | undefined;
}

export interface OwnApi {
  /** The first SQL in the playground. Undefined if the API publishes no tables. */
  readonly firstSql: string | undefined;
}

/** Serves the files of the console, and the same HTML page for all of its paths. The scripts read the path and show the page. */
export function consoleShell(parts: ShellParts): Router {
  const router = Router({ caseSensitive: true });
  const createPage = pageCreator(parts);
  // The path of an image is the path of its page plus the format, and another handler serves it.
  router.use((request, _response, next) => next(imageFormatOf(request.path) === undefined ? undefined : 'router'));
  const { ownApi } = parts;
  const paths = ownApi === undefined ? CONSOLE_PATHS : ownApiPaths(ownApi.firstSql !== undefined);
  for (const path of paths) {
    const page = createPage(path);
    if (path.route === '/') router.get('/', onlyForBrowsers(page));
    else router.route(path.route).get(page).all(allowOnly('GET'));
  }
  router.use('/assets', serveAssets(join(parts.folder, 'assets')));
  return router;
}

/** Serves a page only to browsers: at `/`, the service answers other clients with JSON. */
function onlyForBrowsers(page: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.accepts(['json', 'html']) === 'html') return page(request, response, next);
    next();
  };
}

function pageCreator({
  folder,
  headOf,
  embedOrigins,
  applyLimit,
  publicUrl,
  about,
  ownApi,
}: ShellParts): (path: ConsolePath) => RequestHandler {
  const template = readTemplate(folder);
  const chunkTags = createChunkTags(folder);
  const aboutTag = ownApi === undefined ? '' : writeAbout(about, ownApi);
  return ({ route, source, title, firstRequest }) => {
    const frameOrigins = route.startsWith('/embed/') ? embedOrigins : [];
    const chunks = chunkTags(source);
    return async (request: Request, response: Response) => {
      await applyLimit(request);
      const nonce = randomBytes(16).toString('base64');
      const head = headOf(request.url, title);
      const data = head.status === 200 ? firstRequest?.(request.path) : undefined;
      const tags =
        headTags(head, { path: request.path.slice(1), publicUrl, about }) + aboutTag + chunks + preloadTag(data);
      response.removeHeader('X-Frame-Options');
      response
        .status(head.status)
        .set('Content-Security-Policy', contentSecurityPolicy(nonce, frameOrigins))
        .set('Cache-Control', 'no-cache')
        .vary('Accept')
        .type('html')
        .send(template({ base: baseOf(request.path), nonce, head: tags }));
    };
  };
}

/**
 * Writes a tag that makes the browser send the first API request of a page before its scripts run, so that the scripts need not wait for
 * it.
 */
function preloadTag(request: string | undefined): string {
  return request === undefined ? '' : `<link rel="preload" as="fetch" crossorigin href="${request}">`;
}

/** Writes a tag from which the scripts know the API (`web/app/own-api.ts`). */
function writeAbout({ name, description }: About, { firstSql }: OwnApi): string {
  return `<meta name="own-api" content="${escapeHtml(JSON.stringify({ name, description, firstSql }))}">`;
}

interface PageValues {
  readonly base: string;
  readonly nonce: string;
  readonly head: string;
}

/** Reads the HTML page that the build wrote. The returned function inserts the values of a request. */
function readTemplate(folder: string): (values: PageValues) => string {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) throw new Error(`The console is not built: ${file} is missing. Run: npm run build`);
  const [before, after] = readFileSync(file, 'utf8').split(MARKER);
  if (before === undefined || after === undefined) throw new Error(`${file} does not contain ${MARKER}.`);
  return ({ base, nonce, head }) =>
    `${before}<base href="${base}"><meta name="csp-nonce" nonce="${nonce}">${THEME}${head}${after}`;
}

const MARKER = '<!-- page -->';
/** This script applies the chosen theme before the first paint. */
const THEME = '<script src="assets/theme.js"></script>';

/** Returns the relative URL of the root of the service, so that a proxy can serve the console under any path. */
function baseOf(path: string): string {
  const levels = path.split('/').length - 2;
  return levels === 0 ? './' : '../'.repeat(levels);
}

/** The encodings in which the build wrote each file, best first, with their file extensions. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};
/** Matches file names to which the build added a hash of the content. Files without a hash can change in the next version. */
const HAS_HASH = /-[\w-]{8}\.\w+$/;

/**
 * Serves the files of the console. The build has already compressed the files. Unknown names get 404. The build keeps the files of the
 * previous build, for pages that are still open.
 */
function serveAssets(folder: string): Router {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    const name = request.path.slice(1);
    const encoded = Object.entries(ENCODINGS).filter(([, ending]) => files.has(name + ending));
    if (!files.has(name) || isEncoded(name)) return void response.status(404).type('text').send('Not found.\n');
    response.set('Cache-Control', HAS_HASH.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (encoded.length === 0) return next();
    response.vary('Accept-Encoding');
    const [chosen, ending] = encoded.find(([encoding]) => request.acceptsEncodings(encoding) === encoding) ?? [];
    if (chosen === undefined) return next();
    response.set('Content-Encoding', chosen).type(CONTENT_TYPES[name.split('.').at(-1) ?? ''] ?? 'bin');
    request.url = `/${name}${ending}`;
    next();
  });
  router.use(express.static(folder, { cacheControl: false, index: false, redirect: false }));
  return router;
}

function isEncoded(name: string): boolean {
  return Object.values(ENCODINGS).some((ending) => name.endsWith(ending));
}

/**
 * The policy of the pages of the console: only files of this service, no inline scripts, and style elements only with the nonce.
 * `frameOrigins` are the origins whose pages may show the page in a frame.
 */
function contentSecurityPolicy(nonce: string, frameOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The nonce is for the style sheets that the editor adds at run time.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** A page of the console, with what the server must know before the scripts run. */
interface ConsolePath {
  /** The path, as an express route. */
  readonly route: string;
  /** The source file of the page, as in `web/app/router.tsx`. */
  readonly source: string;
  /** The title if there is no title from a definition or a page file. */
  readonly title: string;
  /** Returns the first API request of the page, relative to the root of the service. Undefined if it cannot be derived from the path. */
  readonly firstRequest?: (path: string) => string | undefined;
}

/** The paths of the console. Only these paths return its page; every other path is an operation or unknown. */
const CONSOLE_PATHS: readonly ConsolePath[] = [
  {
    route: '/',
    source: 'home/home-page.tsx',
    title: 'Home',
    firstRequest: () => 'q/collections-by-growth?sort=growth_pop',
  },
  { route: '/e', source: 'endpoint/endpoint-list-page.tsx', title: 'Endpoints' },
  { route: '/e/:name', source: 'endpoint/endpoint-page.tsx', title: 'Page', firstRequest: definitionRequest },
  { route: '/p/*path', source: 'page/data-page.tsx', title: 'Page', firstRequest: pageRequest },
  { route: '/ask', source: 'ask/ask-page.tsx', title: 'Ask' },
  { route: '/ask/:question', source: 'ask/question-page.tsx', title: 'Page' },
  { route: '/playground', source: 'playground/playground-page.tsx', title: 'Playground' },
  { route: '/account', source: 'account/account-page.tsx', title: 'Account' },
  { route: '/operator', source: 'operator/operator-page.tsx', title: 'Operator' },
  { route: '/embed/e/:name', source: 'embed/endpoint-embed.tsx', title: 'Page' },
];

/** Returns the paths of the console of an API in a folder. */
export function ownApiPaths(hasPlayground: boolean): readonly ConsolePath[] {
  return [
    { route: '/', source: 'home/own-home-page.tsx', title: 'Home', firstRequest: () => 'console/definitions/' },
    ...CONSOLE_PATHS.filter(
      ({ route }) => /^\/(e|p|embed)\b/.test(route) || (hasPlayground && route === '/playground'),
    ),
  ];
}

function definitionRequest(path: string): string | undefined {
  const [, name] = /^\/e\/([\w-]+)\/?$/.exec(path) ?? [];
  return name === undefined ? undefined : `console/definitions/${name}/`;
}

function pageRequest(path: string): string | undefined {
  return /^\/p\/[\w./-]+$/.test(path) ? `console/page/?${new URLSearchParams({ path })}` : undefined;
}

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { allowOnly } from '../../http/operations/allowed-methods.js';
import { SERVICE } from '../../http/package-root.js';
import { contentSecurityPolicy } from './content-security-policy.js';

/** The title and the status of a page before its scripts run. */
export interface PageHead {
  readonly status: number;
  readonly title: string;
  readonly description?: string;
  /** The path of an image of the page, without the leading slash. */
  readonly image?: string;
}

export interface ShellParts {
  /** The folder of the built console. */
  readonly folder: string;
  /** Returns the head of a page by its path. */
  readonly headOf: (path: string) => PageHead;
  /** Origins whose pages can show `/embed/…` in a frame. */
  readonly embedOrigins: readonly string[];
}

/** The paths of the console. Only these paths return its page; every other path is an operation or unknown. */
const PAGES = ['/e', '/e/:name', '/p/*path', '/ask', '/ask/:question', '/playground', '/account', '/embed/*path'];

/** Serves the files of the console, and one HTML page for all of its paths. The scripts read the path and show the page. */
export function consoleShell(parts: ShellParts): Router {
  const router = Router({ caseSensitive: true });
  const page = createPage(parts);
  router.get('/', (request, response, next) => {
    if (request.accepts(['json', 'html']) === 'html') page(request, response, next);
    else next();
  });
  for (const path of PAGES) router.route(path).get(page).all(allowOnly('GET'));
  const assets = express.static(join(parts.folder, 'assets'), {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response, file) => void response.setHeader('Cache-Control', cacheControlOf(file)),
  });
  router.use('/assets', assets, (_request, response) => void response.status(404).type('text').send('Not found.\n'));
  return router;
}

/** The names of the built files contain a hash of their content. The other files can change with the next version. */
function cacheControlOf(file: string): string {
  return /-[\w-]{8}\.\w+$/.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function createPage({ folder, headOf, embedOrigins }: ShellParts): RequestHandler {
  const template = readTemplate(folder);
  return (request: Request, response: Response) => {
    const nonce = randomBytes(16).toString('base64');
    const isEmbedded = request.path.startsWith('/embed/');
    const { status, ...head } = headOf(request.path);
    response.removeHeader('X-Frame-Options');
    response
      .status(status)
      .set('Content-Security-Policy', contentSecurityPolicy(nonce, isEmbedded ? embedOrigins : []))
      .set('Cache-Control', 'no-cache')
      .vary('Accept')
      .type('html')
      .send(template({ base: baseOf(request.path), nonce, head: headTags(head) }));
  };
}

interface PageValues {
  readonly base: string;
  readonly nonce: string;
  readonly head: string;
}

/** Reads the page that the build wrote. Its marker is replaced by the values of a request. */
function readTemplate(folder: string): (values: PageValues) => string {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) throw new Error(`The console is not built: ${file} is missing. Run: npm run build`);
  const [before, after] = readFileSync(file, 'utf8').split(MARKER);
  if (before === undefined || after === undefined) throw new Error(`${file} does not contain ${MARKER}.`);
  return ({ base, nonce, head }) =>
    `${before}<base href="${base}"><meta name="csp-nonce" nonce="${nonce}">${THEME}${head}${after}`;
}

const MARKER = '<!-- page -->';
/** Applies the chosen theme before the first paint. */
const THEME = '<script src="assets/theme.js"></script>';

/** Returns the relative URL of the root of the service, so that a proxy can serve the console under any path. */
function baseOf(path: string): string {
  const levels = path.split('/').length - 2;
  return levels === 0 ? './' : '../'.repeat(levels);
}

function headTags({ title, description, image }: Omit<PageHead, 'status'>): string {
  const tags = [`<title>${escapeHtml(title)} · ${SERVICE.name}</title>`];
  if (description !== undefined) tags.push(`<meta name="description" content="${escapeHtml(description)}">`);
  if (image !== undefined) tags.push(`<meta property="og:image" content="${escapeHtml(image)}">`);
  return tags.join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

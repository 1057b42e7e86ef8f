import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { escapeHtml } from '../engine/http/escape-html.js';
import { allowOnly } from '../engine/http/operations/allowed-methods.js';
import type { ApplyLimit } from '../engine/http/operations/operation.js';

/**
 * `GET /docs`: a page that shows the operations and can send requests to them, in the style of the console. The page has no inline scripts
 * and sends no requests to other hosts.
 */
export function referencePage({ styles, applyLimit, title, links }: ReferenceParts): Router {
  const router = Router({ caseSensitive: true });
  const serve = (path: string, handler: RequestHandler) => router.route(path).get(handler).all(allowOnly('GET'));
  serve('/docs', async (request, response) => {
    await applyLimit(request);
    const { path } = request;
    // All URLs are relative, so that a proxy can serve the page under any path.
    const page = writePage(path.endsWith('/') ? '../' : './', { styles, title, links });
    response.set('Content-Security-Policy', POLICY).type('html').send(page);
  });
  serve('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  for (const file of ASSETS) {
    serve(`/docs/${file}`, (_request, response, next) => {
      response.sendFile(file, { root: ASSETS_FOLDER, maxAge: '1d' }, (error) => error && next(error));
    });
  }
  return router;
}

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const ASSETS_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // `data:` is needed for the icons in the style sheet.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface ReferenceParts {
  /** The paths of the style sheets of the console. */
  readonly styles: readonly string[];
  readonly applyLimit: ApplyLimit;
  /** The name of the service. */
  readonly title: string;
  /** The pages of the console, as in its header (`web/app/header.tsx`): texts by path. */
  readonly links: Readonly<Record<string, string>>;
}

/** The API description in several formats. The page shows the first one. */
const DOCUMENTS = { 'openapi.json': 'OpenAPI 3.1', 'openapi-3.0.json': 'OpenAPI 3.0', 'docs/json': 'Swagger 2.0' };

function writePage(root: string, { styles, title, links: pages }: Omit<ReferenceParts, 'applyLimit'>): string {
  const sheets = ['docs/swagger-ui.css', ...styles, 'assets/reference.css'];
  const name = escapeHtml(title);
  const [links, documents] = [pages, DOCUMENTS].map((paths) =>
    Object.entries(paths)
      .map(([path, text]) => `<a href="${root}${path}">${text}</a>`)
      .join('\n'),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${name}</title>
<link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml">
${sheets.map((sheet) => `<link rel="stylesheet" href="${root}${sheet}">`).join('\n')}
<script src="${root}assets/theme.js"></script>
<header class="reference-header">
<a class="reference-brand" href="${root}"><img src="${root}assets/icon.svg" width="24" height="24" alt="">${name}</a>
<nav aria-label="Main">
${links}
<a href="${root}docs" aria-current="page">API</a>
</nav>
<nav aria-label="Descriptions">
${documents}
</nav>
</header>
<div id="reference"></div>
<script src="${root}docs/swagger-ui-bundle.js"></script>
<script src="${root}docs/start.js"></script>
</html>
`;
}

const START = `const system = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => {
  const { theme } = document.documentElement.dataset;
  document.documentElement.classList.toggle('dark-mode', theme === undefined ? system.matches : theme === 'dark');
};
system.addEventListener('change', applyTheme);
applyTheme();
SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#reference',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
  // Swagger UI has no name for this list.
  onComplete: () => document.getElementById('servers')?.setAttribute('aria-label', 'Server'),
});
`;

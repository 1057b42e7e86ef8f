import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { allowOnly } from '../http/operations/allowed-methods.js';

/**
 * `GET /docs`: a page that shows the operations and can send requests to them. It uses only files of this service: no
 * inline scripts and no requests to other hosts.
 */
export function referencePage(): Router {
  const router = Router({ caseSensitive: true });
  const serve = (path: string, handler: RequestHandler) => router.route(path).get(handler).all(allowOnly('GET'));
  serve('/docs', (_request, response) => {
    response.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
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

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const ASSETS_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The style sheet contains its icons as data URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>repo-insight: reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
});
`;

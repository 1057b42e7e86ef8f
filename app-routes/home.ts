import { Router } from 'express';
import { allowOnly } from './allow-only.js';

export interface ServiceDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** What the service answers, as link text → path. */
  readonly links: Readonly<Record<string, string>>;
}

/** `GET /`: JSON about the service, or a page of the same links for a browser. */
export function homeRoutes(service: ServiceDescription): Router {
  const router = Router();
  const page = renderPage(service);
  router
    .route('/')
    .get((_request, response) => {
      response.format({ json: () => response.json(service), html: () => response.send(page) });
    })
    .all(allowOnly('GET'));
  return router;
}

function renderPage({ name, version, description, links }: ServiceDescription): string {
  const items = Object.entries(links).map(
    ([label, path]) => `<li><a href="${escapeHtml(path)}">${escapeHtml(label)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(name)}</title>
<h1>${escapeHtml(name)} <small>${escapeHtml(version)}</small></h1>
<p>${escapeHtml(description)}</p>
<ul>
${items.join('\n')}
</ul>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

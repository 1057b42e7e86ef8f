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
  const items = Object.entries(links).map(([label, path]) => `<li><a href="${escape(path)}">${escape(label)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(name)}</title>
<h1>${escape(name)} <small>${escape(version)}</small></h1>
<p>${escape(description)}</p>
<ul>
${items.join('\n')}
</ul>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

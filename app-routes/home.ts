import { exactObject } from '../http/json-schema.js';
import type { Operation } from '../http/operations/operation.js';

export interface ServiceDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Paths of the service, by the text of their link. */
  readonly links: Readonly<Record<string, string>>;
}

/** `GET /` returns JSON about the service, or an HTML page with the same links for browsers. */
export function homeOperation(service: ServiceDescription): Operation {
  const page = renderPage(service);
  return {
    id: 'home',
    method: 'get',
    path: '/',
    tag: 'Service',
    summary: 'Describes the service and links to its documentation',
    description: 'Browsers get an HTML page with the same links.',
    access: 'open',
    answer: HOME,
    otherTypes: ['text/html'],
    handle: ({ http }) => ({
      vary: 'Accept',
      ...(http.accepts(['json', 'html']) === 'html' ? { body: page, type: 'html' } : { body: service }),
    }),
  };
}

const STRING = { type: 'string' };
const HOME = exactObject('Service', {
  name: STRING,
  version: STRING,
  description: STRING,
  links: { type: 'object', additionalProperties: STRING },
});

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

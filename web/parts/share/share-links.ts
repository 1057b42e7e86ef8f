import type { ParameterTexts } from '../form/parameter-values.js';

/** A result of a definition that a reader shares. */
export interface SharedRequest {
  readonly definition: { readonly name: string; readonly summary: string };
  readonly values: ParameterTexts;
  /** The URL of the root of the service, with a trailing slash. */
  readonly root: string;
}

/** Returns the URL under `/q`, whose answer has JSON values. */
export function queryUrl({ definition, values, root }: SharedRequest): string {
  return withQuery(`${root}q/${encodeURIComponent(definition.name)}`, Object.entries(values));
}

/** Returns the URL of the page of the result. */
export function pageUrl({ definition, values, root }: SharedRequest, view: ParameterTexts): string {
  return withQuery(`${root}e/${encodeURIComponent(definition.name)}`, entriesOf(values, view));
}

/** Returns the URL of the image of the chart. */
export function imageUrl(
  { definition, values, root }: SharedRequest,
  format: 'svg' | 'png',
  view: ParameterTexts,
): string {
  return withQuery(`${root}e/${encodeURIComponent(definition.name)}.${format}`, entriesOf(values, view));
}

/** Returns the URL of the feed of the rows. */
export function feedUrl({ definition, values, root }: SharedRequest): string {
  return withQuery(`${root}feed/${encodeURIComponent(definition.name)}.atom`, Object.entries(values));
}

/** Returns HTML that embeds the result in another page, in a frame. */
export function frameSnippet(request: SharedRequest, view: ParameterTexts): string {
  const { definition, root, values } = request;
  const url = withQuery(`${root}embed/e/${encodeURIComponent(definition.name)}`, entriesOf(values, view));
  const title = escapeHtml(definition.summary);
  return `<iframe src="${escapeHtml(url)}" title="${title}" width="100%" height="420" loading="lazy"></iframe>`;
}

/**
 * Returns an image of the chart that links to the page of the result, for a README on GitHub and for other Markdown or HTML. Browsers show
 * the image of their theme.
 */
export function imageSnippet(request: SharedRequest, view: ParameterTexts): string {
  const [page, light, dark] = [
    pageUrl(request, view),
    imageUrl(request, 'svg', view),
    imageUrl(request, 'svg', { ...view, _theme: 'dark' }),
  ].map(escapeHtml);
  const title = escapeHtml(request.definition.summary);
  return `<a href="${page}"><picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img alt="${title}" src="${light}"></picture></a>`;
}

/** Returns Markdown with a badge of the first value of the result, which links to the page of the result. */
export function badgeSnippet(request: SharedRequest): string {
  const { definition, root, values } = request;
  const badge = withQuery(`${root}badge/${encodeURIComponent(definition.name)}.svg`, Object.entries(values));
  return `[![${definition.summary.replaceAll(/[[\]\\]/g, '\\$&')}](${markdownUrl(badge)})](${markdownUrl(pageUrl(request, {}))})`;
}

export function withQuery(url: string, entries: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams(entries.map(([name, value]) => [name, value])).toString();
  return query === '' ? url : `${url}?${query}`;
}

function entriesOf(values: ParameterTexts, view: ParameterTexts): [string, string][] {
  return [...Object.entries(values), ...Object.entries(view)];
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes parentheses in a URL, which would end a Markdown link. */
function markdownUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29');
}

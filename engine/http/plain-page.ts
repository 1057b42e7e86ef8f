import { escapeHtml } from './escape-html.js';
import { SERVICE } from './package-root.js';

/** Writes a page without scripts, for browsers that come from a redirect or an e-mail. `content` is HTML. */
export function writePlainPage(heading: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(heading)} · ${escapeHtml(SERVICE.name)}</title>
<style>body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }</style>
<main>
<h1>${escapeHtml(heading)}</h1>
${content}
</main>
</html>
`;
}

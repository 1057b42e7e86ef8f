import { STATUS_CODES } from 'node:http';
import { escapeHtml } from '../../http/escape-html.js';
import type { FailureToShow } from '../../http/operations/operation.js';
import { SERVICE } from '../../http/package-root.js';

/** Writes the page of a sign-in that failed, with a link to try again. `signInUrl` is the path of the new sign-in. */
export function writeFailurePage({ status, message }: FailureToShow, signInUrl: string): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Failure'}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sign-in failed · ${escapeHtml(SERVICE.name)}</title>
<style>body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }</style>
<main>
<h1>Sign-in failed</h1>
<p>${escapeHtml(message)}</p>
<p><a href="${escapeHtml(signInUrl)}">Try again</a></p>
<p><small>${escapeHtml(title)}</small></p>
</main>
</html>
`;
}

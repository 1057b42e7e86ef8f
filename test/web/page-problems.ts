import type { BrowserContext } from 'playwright-core';

/**
 * Collects the problems of all pages of a context: messages in the console of the browser, which include violations of the
 * security policy and failed requests, errors of scripts, and requests to origins other than `origins`.
 */
export function watchProblems(context: BrowserContext, origins: readonly string[]): readonly string[] {
  const problems: string[] = [];
  context.on('console', (message) => {
    const kind = message.type();
    if (kind === 'error' || kind === 'warning') problems.push(`${kind}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => problems.push(`exception: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !origins.includes(url.origin)) {
      problems.push(`request to another origin: ${url.href}`);
    }
  });
  return problems;
}

import type { BrowserContext } from 'playwright-core';

export interface PageProblems {
  readonly found: readonly string[];
  /** Clears the collected problems, and from now on only allows requests to these origins. */
  restart(origins: readonly string[]): void;
}

/**
 * Collects the problems of all pages of a context: messages in the browser console (including violations of the security policy and failed
 * requests), script errors, and requests to origins that are not allowed.
 */
export function watchProblems(context: BrowserContext): PageProblems {
  const found: string[] = [];
  let allowed: readonly string[] = [];
  context.on('console', (message) => {
    const kind = message.type();
    if (kind === 'error' || kind === 'warning') found.push(`${kind}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => found.push(`exception: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !allowed.includes(url.origin)) {
      found.push(`request to another origin: ${url.href}`);
    }
  });
  return {
    found,
    restart: (origins) => {
      found.length = 0;
      allowed = origins;
    },
  };
}

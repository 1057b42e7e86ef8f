/** The first requests of each page, relative to the root of the service. The names are those of `web/app/router.tsx`. */
const REQUESTS: readonly (readonly [path: RegExp, request: (...parts: string[]) => string])[] = [
  [/^\/$/, () => 'q/collections-by-growth'],
  [/^\/e\/([\w-]+)\/?$/, (name = '') => `console/definitions/${name}/`],
  [/^(\/p\/[\w./-]+)$/, (path = '') => `console/page/?${new URLSearchParams({ path })}`],
];

/** Writes the tag that sends the first request of a page before its scripts run, so that they need not wait for the answer. */
export function preloadData(path: string): string {
  for (const [pattern, request] of REQUESTS) {
    const [, ...parts] = pattern.exec(path) ?? [];
    if (pattern.test(path)) return `<link rel="preload" as="fetch" crossorigin href="${request(...parts)}">`;
  }
  return '';
}

/**
 * The policy of the pages of the console: only files of this service, no inline scripts, and styles that scripts add only with the
 * nonce. `frameOrigins` are the origins whose pages can show the page in a frame.
 */
export function contentSecurityPolicy(nonce: string, frameOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The editor adds its style sheets while it runs.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ');
}

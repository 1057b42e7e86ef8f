/** The version of the API description. It is independent of the package version. */
export const DESCRIPTION_VERSION = '0.1.0';

export const LICENCE = { name: 'MIT', url: 'https://opensource.org/license/mit' };

/** Rules that apply to all operations, as CommonMark. */
export const INTRODUCTION = `
Operations under \`/v1\` answer with an envelope of columns, rows and metadata; so do their errors. All other errors are
problem details (RFC 9457). The \`error\` or \`code\` of an error is permanent: programs can rely on it.

- Every path works with and without a trailing slash.
- \`HEAD\` works on every path that has \`GET\`. A method that is not listed gets 405 with the header \`Allow\`.
- An unknown parameter and an invalid value are rejected with 400. The answer lists all faults of the request.
- Every answer contains the id of its request in \`X-Request-Id\`. The log uses the same id.
- Requests with \`If-None-Match\` can get 304, and requests with \`Range\` for CSV, NDJSON or Arrow 206 or 416. The operations do
  not list these statuses: no other request gets them, and generated clients would need a type for each.
- Answers with status 429 or 503 contain \`Retry-After\`: the number of seconds to wait before a retry.
`.trim();

/** Returns the introduction for formats without a summary. */
export function introduce(summary: string): string {
  return `${summary}\n\n${INTRODUCTION}`;
}

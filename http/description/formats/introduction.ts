/** The version of the description, which is not that of the package. */
export const DESCRIPTION_VERSION = '0.1.0';

export const LICENCE = { name: 'MIT', url: 'https://opensource.org/license/mit' };

/** What holds for all operations; CommonMark. */
export const INTRODUCTION = `
Operations under \`/v1\` answer with an envelope of columns, rows and what is to know of them; so do their errors. Other
errors are problem details (RFC 9457). The \`error\` or \`code\` of an error is permanent: programs may rely on it.

- Every path is served with and without the slash at its end.
- \`HEAD\` is answered where \`GET\` is. Another method than those listed gets 405 with the header \`Allow\`.
- A parameter that is not listed is refused with 400, as one with a wrong value is; all that is wrong is told at once.
- Every answer tells in \`X-Request-Id\` under which id the log has the request.
- Answers of 429 and of 503 say in \`Retry-After\` when to ask again.
`.trim();

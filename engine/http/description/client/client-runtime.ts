/** The part of a generated client that does not depend on the definitions. */
export const CLIENT_RUNTIME = `export interface ClientOptions {
  /** The address of the service, such as \`https://data.example\`; a path before \`/q/\` is kept. */
  readonly baseUrl: string | URL;
  /** Sends the requests; the global \`fetch\` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** Headers of every request, such as \`Authorization\`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface RequestOptions {
  /** Aborts the request. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Additional headers of this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Codes of this client: the service did not answer, another program answered, or a page has no cursor of the next one. */
export type ClientErrorCode = 'network_error' | 'unexpected_answer' | 'no_cursor';

/** A request that failed, except by its signal. Programs must decide by the code, never by the message. */
export class RepoInsightError extends Error {
  override readonly name = 'RepoInsightError';
  /** The HTTP status; 0 if no answer arrived. */
  readonly status: number;
  /** A later version of the service can have more codes. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** The body of the answer; undefined for the codes of this client. */
  readonly problem: ProblemDetails | undefined;
  /** The seconds to wait before a retry, if the service states them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    facts: Pick<RepoInsightError, 'status' | 'code' | 'problem' | 'retryAfterSeconds'>,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.status = facts.status;
    this.code = facts.code;
    this.problem = facts.problem;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/**
 * Reads all pages by their cursors, so that rows that are added or removed meanwhile do not move the others:
 * \`for await (const { data } of readPages({ page_size: 100 }, (params) => client.method(params)))\`
 */
export async function* readPages<Params extends object, Row>(
  params: Params,
  read: (params: Params & { readonly cursor?: string | undefined }) => Promise<Answer<Row>>,
): AsyncGenerator<Answer<Row>, void, undefined> {
  for (let next: Params & { readonly cursor?: string | undefined } = params; ; ) {
    const answer = await read(next);
    yield answer;
    if (!answer.truncated) return;
    if (typeof answer.nextCursor !== 'string') {
      const facts = { status: 0, code: 'no_cursor', problem: undefined, retryAfterSeconds: undefined } as const;
      throw new RepoInsightError(\`More rows exist, but the page has no cursor. \${answer.notices.join(' ')}\`, facts);
    }
    next = { ...params, page: undefined, cursor: answer.nextCursor };
  }
}

export type Value = string | number | boolean | readonly (string | number)[] | undefined;

/** A comma or a backslash in a value of a list is escaped. */
function escapeItem(value: string | number): string {
  return String(value).replace(/[\\\\,]/g, '\\\\$&');
}

async function send<Row>(
  client: ClientOptions,
  path: string,
  params: object,
  { signal, headers }: RequestOptions,
): Promise<Answer<Row>> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params) as [string, Value][]) {
    if (value !== undefined) query.set(name, typeof value === 'object' ? value.map(escapeItem).join(',') : String(value));
  }
  const search = query.toString();
  const url = \`\${String(client.baseUrl).replace(/\\/+$/, '')}\${path}\${search === '' ? '' : \`?\${search}\`}\`;
  const init = {
    headers: { Accept: 'application/json', ...client.headers, ...headers },
    ...(signal === undefined ? {} : { signal }),
  };
  let response: Response;
  let text: string;
  try {
    response = await (client.fetch ?? globalThis.fetch)(url, init);
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    const facts = { status: 0, code: 'network_error', problem: undefined, retryAfterSeconds: undefined } as const;
    throw new RepoInsightError(\`No complete answer from \${url}.\`, facts, { cause });
  }
  const body = parse(text);
  if (response.ok && 'data' in body) return body as unknown as Answer<Row>;
  throw errorOf(response, body);
}

function parse(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function errorOf({ status, headers, url }: Response, body: object): RepoInsightError {
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN);
  const facts = { status, retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter };
  if ('code' in body && 'detail' in body) {
    const problem = body as ProblemDetails;
    return new RepoInsightError(problem.detail, { ...facts, code: problem.code, problem });
  }
  const message = \`Expected an answer of the service from \${url}, got another body with the status \${status}.\`;
  return new RepoInsightError(message, { ...facts, code: 'unexpected_answer', problem: undefined });
}
`;

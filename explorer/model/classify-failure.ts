import { APIConnectionError, APIError } from 'openai';
import { ModelError, type ModelFailure } from './model.js';

/** The classification of a failed request. */
export interface Failure {
  readonly error: ModelError;
  /** Whether the same request can succeed later. */
  readonly isTemporary: boolean;
  /** Why the server rejected the form of the request; undefined if it failed for another reason. */
  readonly rejectedForm?: string;
}

/**
 * Explains an error of the client library. Texts of the server can contain the key or the prompt, so the message only contains the HTTP
 * status and the system error code. `rejectedForm` is a text of the server: it is only for comparisons and must not be output.
 */
export function classifyFailure(error: unknown): Failure {
  const chain = causesOf(error);
  const own = chain.find((cause) => cause instanceof ModelError);
  if (own !== undefined) return { error: own, isTemporary: false };
  if (error instanceof APIConnectionError) return connectionFailure(chain);
  if (error instanceof APIError) return error.status === undefined ? streamFailure(error) : statusFailure(error);
  if (error instanceof SyntaxError)
    return permanent('invalid_output', 'The answer of the model server is not valid JSON.');
  return connectionFailure(chain);
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; next = next.cause) chain.push(next);
  return chain;
}

const MAX_CAUSES = 5;

function connectionFailure(chain: readonly unknown[]): Failure {
  const codes = chain.map((cause) => (cause as { readonly code?: unknown }).code);
  const code = codes.find((one) => typeof one === 'string' && /^[A-Z][A-Z\d_]{2,60}$/.test(one));
  const cause = code === undefined ? 'the connection was lost' : String(code);
  const message = `The model server cannot be reached: ${cause}. Check that it runs at MODEL_URL.`;
  return { error: new ModelError('unreachable', message), isTemporary: !PERMANENT_CODES.test(String(code)) };
}

/** Errors of DNS names and certificates, for which a retry is useless. */
const PERMANENT_CODES = /ENOTFOUND|CERT|TLS|SSL|SELF_SIGNED/;

/** Uses only a known code or type in the message, because other texts of the server can contain the key. */
function streamFailure({ code, type }: APIError): Failure {
  const name = [code, type].map(String).find((one) => STREAM_ERRORS.has(one) || /^[45]\d\d$/.test(one));
  const message = `The model server reported an error within its answer${name === undefined ? '' : `: ${name}`}.`;
  const isTemporary = name === undefined || (STREAM_ERRORS.get(name) ?? /^(429|5..)$/.test(name));
  return { error: new ModelError('unreachable', message), isTemporary };
}

/** The codes and types of errors of OpenAI-compatible servers, and whether the same request can succeed later. */
const STREAM_ERRORS: ReadonlyMap<string, boolean> = new Map([
  ['api_error', true],
  ['authentication_error', false],
  ['billing_error', false],
  ['content_filter', false],
  ['context_length_exceeded', false],
  ['insufficient_quota', false],
  ['internal_server_error', true],
  ['invalid_api_key', false],
  ['invalid_request_error', false],
  ['model_not_found', false],
  ['overloaded_error', true],
  ['permission_error', false],
  ['rate_limit_error', true],
  ['rate_limit_exceeded', true],
  ['server_error', true],
  ['timeout', true],
]);

function statusFailure({ status = 0, code, message, headers }: APIError): Failure {
  const known = STATUSES[status];
  if (known !== undefined) {
    const [failure, fault, step] = known;
    const error = new ModelError(failure, `${fault} (HTTP ${status}). ${step}`, { isOperatorFault: true });
    return { error, isTemporary: false };
  }
  if (status === 429) return rateLimited(headers);
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    const text = `The model server failed (HTTP ${status}).`;
    return { error: new ModelError('unreachable', text), isTemporary: status !== 501 && status !== 505 };
  }
  if (code === 'content_filter') {
    const text = 'The content filter of the model server rejected the request.';
    return { error: new ModelError('refused', text, { isDeclined: true }), isTemporary: false };
  }
  const failure = permanent('refused', `The model server rejected the request (HTTP ${status}).`);
  return FORM_STATUSES.has(status) ? { ...failure, rejectedForm: message } : failure;
}

const CREDENTIALS = 'The model server rejected the credentials';
/** The statuses that mean a configuration error, each with the failure, its description, and the next step for the operator. */
const STATUSES: Readonly<Record<number, readonly [ModelFailure, string, string]>> = {
  401: ['refused', CREDENTIALS, 'Check MODEL_KEY.'],
  403: ['refused', CREDENTIALS, 'Check MODEL_KEY.'],
  402: ['refused', 'The account at the model server has no credit', 'Add credit there.'],
  404: ['unreachable', 'The model server does not know the address or the model', 'Check MODEL_URL and MODEL_NAME.'],
};

/** Statuses with which servers reject a parameter. */
const FORM_STATUSES: ReadonlySet<number> = new Set([400, 415, 422]);

function rateLimited(headers: Headers | undefined): Failure {
  const retryAfterMs = readRetryAfter(headers?.get('retry-after') ?? '');
  const message = 'The model server limits the rate of requests (HTTP 429).';
  const details = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { error: new ModelError('rate_limited', message, details), isTemporary: true };
}

/** Parses `Retry-After`: seconds or an HTTP date. Undefined for other text. The result is at most one day. */
function readRetryAfter(text: string): number | undefined {
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(Math.ceil(ms), 0), 86_400_000);
}

function permanent(failure: ModelFailure, message: string): Failure {
  return { error: new ModelError(failure, message), isTemporary: false };
}

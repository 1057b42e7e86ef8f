import { ROOT_URL } from '../app/root-url.js';
import { fetchService } from './api-key.js';
import { type ProblemDetails, RepoInsightError } from './generated/client.js';

/** Sends a request to a hand-written operation. `path` has no leading slash. Throws `RepoInsightError`. */
export async function callOperation<Body>(path: string, init: RequestInit = {}): Promise<Body> {
  const response = await send(path, init);
  if (response.status === 204) return undefined as Body;
  return (await response.json()) as Body;
}

/** Sends a request with a JSON body. */
export function sendJson<Body>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Body> {
  return callOperation(path, {
    method,
    ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetchService(new URL(path, ROOT_URL), {
      ...init,
      headers: { Accept: 'application/json', ...init.headers },
    });
  } catch (cause) {
    if (init.signal?.aborted === true) throw init.signal.reason;
    const facts = { status: 0, code: 'network_error', problem: undefined, retryAfterSeconds: undefined } as const;
    throw new RepoInsightError('The service did not answer.', facts, { cause });
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function errorOf(response: Response): Promise<RepoInsightError> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const facts = { status: response.status, retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter };
  const problem = (await response.json().catch(() => undefined)) as ProblemDetails | undefined;
  if (problem?.code !== undefined)
    return new RepoInsightError(problem.detail, { ...facts, code: problem.code, problem });
  const message = `Another program answered with the status ${response.status}.`;
  return new RepoInsightError(message, { ...facts, code: 'unexpected_answer', problem: undefined });
}

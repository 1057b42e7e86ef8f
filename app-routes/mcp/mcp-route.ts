import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type Authentication, requestingClientOf } from '../../engine/http/access/authentication.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import type { Identify } from '../../engine/http/operations/caller.js';
import type { RateLimits } from '../../engine/http/operations/operation.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { recordOf } from '../../engine/http/request-record.js';
import { abortOnClose } from '../../engine/http/requests/read-request.js';
import { createBodyReader } from '../../engine/http/requests/request-body.js';
import type { McpClient, McpParts } from './mcp-parts.js';
import type { McpMessage, McpServers } from './mcp-server.js';
import { findMessageFault, type MessageFault } from './message-limits.js';
import { metadataUrlOf, type ProtectedResource } from './protected-resource.js';
import { findVersionFault } from './protocol-version.js';
import { sendWebResponse, toWebRequest } from './web-exchange.js';

export interface McpRouteParts extends McpParts {
  readonly identify: Identify;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly origins: OriginRules;
  /** Undefined if no server issues tokens for clients. */
  readonly protectedResource: ProtectedResource | undefined;
  /** The clock for credentials, which `NOW` does not fix. */
  readonly systemClock: () => Date;
  /** Maximum size of a message, for example `100kb`. */
  readonly bodyLimit: string;
  readonly logger: { debug(facts: object, message: string): void };
}

/**
 * Serves the Model Context Protocol at `/mcp` (streamable HTTP). The route is stateless, so any process can answer any message. The first
 * message loads the modules of the protocol.
 */
export function mcpRoute(parts: McpRouteParts): RequestHandler {
  const readBody = createBodyReader({}, parts.bodyLimit);
  const cancellations = new Cancellations();
  let loading: Promise<Protocol> | undefined;
  return async (request, response, next) => {
    if (!/^\/mcp\/?$/.test(request.path) || request.method === 'OPTIONS') return next();
    recordOf(response).operation = 'mcp';
    response.set('Cache-Control', 'no-store');
    const origin = findOriginFault(request, parts.origins);
    if (origin !== undefined) return sendFault(response, 403, { code: INVALID_REQUEST, message: origin });
    let body: unknown;
    try {
      await parts.rateLimits.general(request);
      if (request.method === 'POST') body = await readBody(request, response);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      const code = error.code === 'rate_limited' ? INVALID_REQUEST : PARSE_ERROR;
      return sendFault(response.set(error.details.headers ?? {}), error.status, { code, message: error.message });
    }
    const fault = body === undefined ? undefined : findMessageFault(body);
    if (fault !== undefined) return sendFault(response, 400, fault);
    loading ??= loadProtocol(parts);
    const protocol = await loading;
    const { id, params } = messageOf(body);
    const unsupported = findVersionFault(request.get(VERSION), params, protocol.earlierVersions);
    if (unsupported !== undefined) return sendFault(response, 400, unsupported, id);
    await answer(parts, protocol, cancellations, { request, response, body });
  };
}

const WITH_KEYS = { acceptsKeys: true };
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const SESSION = 'mcp-session-id';
const VERSION = 'mcp-protocol-version';

interface Protocol {
  readonly createMcpHandler: typeof import('@modelcontextprotocol/server').createMcpHandler;
  readonly servers: McpServers;
  readonly earlierVersions: readonly string[];
}

async function loadProtocol(parts: McpParts): Promise<Protocol> {
  const { createMcpHandler, SUPPORTED_PROTOCOL_VERSIONS } = await import('@modelcontextprotocol/server');
  const { mcpServers } = await import('./mcp-server.js');
  return { createMcpHandler, servers: mcpServers(parts), earlierVersions: SUPPORTED_PROTOCOL_VERSIONS };
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
}

async function answer(
  parts: McpRouteParts,
  { createMcpHandler, servers }: Protocol,
  cancellations: Cancellations,
  { request, response, body }: Exchange,
): Promise<void> {
  const message = messageOf(body);
  const session = await findSession(parts, request);
  if (session !== undefined && message.method === 'notifications/cancelled') {
    cancellations.cancel(session, (message.params as { requestId?: unknown } | undefined)?.requestId);
  }
  const running =
    session === undefined || message.id === undefined ? undefined : cancellations.begin(session, message.id);
  try {
    const client = clientOf(parts, request, response, running?.signal);
    if (await sendMissingCredential(parts, servers, client, { request, response, message })) return;
    const { id } = recordOf(response);
    const onerror = (err: Error) => parts.logger.debug({ err, request: id }, 'a message of the protocol was rejected');
    const handler = createMcpHandler(() => servers.create(client), { onerror });
    const web = await handler.fetch(toWebRequest(request, abortOnClose(response)), { parsedBody: body });
    if (message.method === 'initialize') response.setHeader(SESSION, randomUUID());
    await sendWebResponse(web, response);
  } finally {
    running?.end();
  }
}

interface Received extends Pick<Exchange, 'request' | 'response'> {
  readonly message: McpMessage;
}

/**
 * Answers a message whose credential is missing or not valid with 401, so that the client starts its sign-in. Resolves to whether it did.
 * The message counts like a call. Without a server that issues tokens, such a message gets a result with an error, which a model can read.
 */
async function sendMissingCredential(
  { protectedResource }: McpRouteParts,
  { requireCredential }: McpServers,
  client: McpClient,
  { response, message }: Received,
): Promise<boolean> {
  if (protectedResource === undefined) return false;
  try {
    await requireCredential(message, client);
    return false;
  } catch (error) {
    if (!isUnauthorized(error)) return false;
    const counted = await client.countQuery().catch((reason: unknown) => reason);
    const problem = counted instanceof HttpProblem && counted.code === 'rate_limited' ? counted : error;
    response.set(problem.details.headers ?? {});
    if (problem === error) response.set('WWW-Authenticate', challengeOf(error, protectedResource));
    const { id: request_id } = recordOf(response);
    recordOf(response).code = problem.code;
    const fault = { code: INVALID_REQUEST, message: `${problem.code}: ${problem.message}` };
    sendFault(response, problem.status, { ...fault, data: { code: problem.code, request_id } }, idOf(message));
    return true;
  }
}

function idOf({ id }: McpMessage): unknown {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function isUnauthorized(error: unknown): error is HttpProblem {
  return error instanceof HttpProblem && error.status === 401;
}

/** Writes the header `WWW-Authenticate` (RFC 6750, and section 5.1 of RFC 9728). */
function challengeOf({ code }: HttpProblem, resource: ProtectedResource): string {
  const error = code === 'credential_invalid' ? ', error="invalid_token"' : '';
  return `Bearer realm="repo-insight"${error}, resource_metadata="${metadataUrlOf(resource)}"`;
}

/** Returns the session of a message; undefined if it has none. An invalid credential is only an error for calls that need a user. */
async function findSession(
  { identify, systemClock }: McpRouteParts,
  request: Request,
): Promise<SessionClient | undefined> {
  const session = request.get(SESSION) ?? '';
  if (session === '') return undefined;
  const { authorization, cookie, 'x-api-key': key } = request.headers;
  const isAnonymous = authorization === undefined && cookie === undefined && key === undefined;
  const user = isAnonymous ? undefined : await identify(request, systemClock(), WITH_KEYS).catch(() => undefined);
  return { session, userId: user?.id };
}

function clientOf(
  { identify, authentication, rateLimits }: McpRouteParts,
  request: Request,
  response: Response,
  signal: AbortSignal | undefined,
): McpClient {
  return {
    hasKey: authentication.hasKey(request),
    countQuery: () => rateLimits.public(request),
    ...requestingClientOf(authentication, request, response),
    countPlaygroundQuery: () => rateLimits.playground(request),
    identify: async (now) => {
      const caller = await identify(request, now, WITH_KEYS);
      await rateLimits.change(request, caller);
      return caller;
    },
    address: clientAddress(request),
    requestId: recordOf(response).id,
    report: (error) => {
      recordOf(response).failure = error;
    },
    signal,
  };
}

/** Returns the members of a single message; empty for a batch and for any other JSON. */
function messageOf(body: unknown): McpMessage {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
}

/** Sends a protocol error. The id is null if the message could not be read. */
function sendFault(response: Response, status: number, error: MessageFault, id: unknown = null): void {
  response.status(status).json({ jsonrpc: '2.0', error, id });
}

/** A client that uses a protocol version with sessions. */
interface SessionClient {
  /** The id of the session. */
  readonly session: string;
  /** The user who sent the message; undefined without a valid credential. */
  readonly userId: number | undefined;
}

/**
 * The running requests of clients that cancel with a separate message (protocol versions before 2026-07-28). A session is only an id,
 * without any state: it distinguishes requests of different clients with the same request id. The session id is combined with the user, so
 * that another user who knows the session id cannot cancel its requests.
 */
class Cancellations {
  readonly #running = new Map<string, AbortController>();

  /** Registers a running request. The signal aborts when the client cancels the request. `end` must be called when it has ended. */
  begin(client: SessionClient, id: unknown): { readonly signal: AbortSignal; end(): void } {
    const key = keyOf(client, id);
    const controller = new AbortController();
    this.#running.set(key, controller);
    const end = () => {
      if (this.#running.get(key) === controller) this.#running.delete(key);
    };
    return { signal: controller.signal, end };
  }

  /** Aborts a request. Does nothing if it is not running. */
  cancel(client: SessionClient, id: unknown): void {
    this.#running.get(keyOf(client, id))?.abort();
  }
}

/** Returns the key of a request. JSON keeps the ids `1` and `"1"` distinct. */
function keyOf({ session, userId }: SessionClient, id: unknown): string {
  return JSON.stringify([session, userId, id]);
}

interface OriginRules {
  /** The origin whose pages may call the service; `*` for all. */
  readonly corsOrigin: string;
  /** The address that the service listens on. */
  readonly host: string;
  /** The public URL of the service. */
  readonly publicUrl: string | undefined;
}

/**
 * Returns why the `Origin` of a request is rejected; undefined if it is allowed. The protocol requires this check against DNS rebinding, by
 * which a page of any site could send requests to a service on the user's machine. A request without `Origin` does not come from a page of
 * another site.
 */
function findOriginFault({ headers }: Pick<Request, 'headers'>, rules: OriginRules): string | undefined {
  const { origin } = headers;
  if (origin === undefined || isAllowed(origin, rules)) return undefined;
  return `Pages of ${JSON.stringify(origin.slice(0, MAX_SHOWN))} may not use this service; CORS_ORIGIN names the allowed origin.`;
}

function isAllowed(origin: string, { corsOrigin, host, publicUrl }: OriginRules): boolean {
  if (origin === corsOrigin) return true;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (corsOrigin !== '*') return false;
  // A service that listens on the loopback address may only be called by pages from the same machine.
  return !LOOPBACK.test(host) || LOOPBACK.test(hostnameOf(origin));
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const MAX_SHOWN = 100;

function hostnameOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ToolDescription,
} from '@modelcontextprotocol/server';
import { callerOf, requireCaller } from '../../engine/http/access/authentication.js';
import { SERVICE } from '../../engine/http/package-root.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { EngineError, hasAccess, limitSignal } from '../../engine/index.js';
import type { McpAbout, McpClient, McpParts, McpResources } from './mcp-parts.js';
import { ToolList } from './tool-list.js';

/** Creates the MCP server for one connection, or for one HTTP request, because no state is kept between requests. */
export type CreateMcpServer = (client: McpClient) => Server;

export interface McpServers {
  readonly create: CreateMcpServer;
  /**
   * Checks the credential of a message before it is handled. Throws `credential_missing` or `credential_invalid` if the message needs a
   * credential, or if its answer depends on the caller. All other errors are those of handling the message.
   */
  readonly requireCredential: (message: McpMessage, client: McpClient) => Promise<void>;
}

/** A single message. Its members are not validated. */
export interface McpMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** Creates the function that creates servers. All of them share one list of tools. */
export function mcpServers(parts: McpParts): McpServers {
  const tools = new ToolList(parts);
  return { create: serverCreator(parts, tools), requireCredential: credentialCheck(parts, tools) };
}

function serverCreator({ about, resources: loadResources }: McpParts, tools: ToolList): CreateMcpServer {
  return (client) => {
    const server = new Server(
      { name: about.name, version: SERVICE.version },
      { capabilities: { tools: {}, resources: {} }, instructions: about.instructions ?? writeInstructions(about) },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: await listTools(tools, client) }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, { mcpReq }) =>
      callTool(tools, name, given, { client, signal: mcpReq.signal }),
    );
    const count = async <T>(read: () => Promise<T>): Promise<T> => {
      try {
        await client.countQuery();
        return await read();
      } catch (error) {
        throw error instanceof ProtocolError ? error : protocolError(error, client);
      }
    };
    server.setRequestHandler('resources/list', () =>
      count(async () => ({ resources: await listResources(await loadResources(), client) })),
    );
    server.setRequestHandler('resources/templates/list', async () => ({
      resourceTemplates: [...(await loadResources()).templates],
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) =>
      count(async () => {
        const { definition, read } = await loadResources();
        if (definition !== undefined) await requireCaller({ definition }, client);
        return read(uri);
      }),
    );
    return server;
  };
}

function credentialCheck({ resources }: McpParts, tools: ToolList): McpServers['requireCredential'] {
  return async ({ method, params }, client) => {
    if (method === 'tools/call') {
      const { name } = (params ?? {}) as { readonly name?: unknown };
      const { definition, needsUser } = tools.all().get(String(name)) ?? {};
      if (needsUser || definition?.access !== undefined) await requireCallerOf(client);
      else if (client.hasKey) await client.authenticate();
    }
    if (method === 'tools/list' && tools.areProtected) await client.authenticate();
    if (method !== 'resources/read' && method !== 'resources/list') return;
    const { definition } = await resources();
    if (definition?.access === undefined) return;
    if (method === 'resources/read') await requireCallerOf(client);
    else await client.authenticate();
  };
}

async function requireCallerOf(client: McpClient): Promise<void> {
  if ((await client.authenticate()) === undefined) throw new HttpProblem('credential_missing', MISSING);
}

const MISSING =
  'This call needs a credential: send a token in the header Authorization: Bearer <token>, or an API key in the header X-API-Key.';

/** Returns the descriptions of the tools that the client can call. */
async function listTools(tools: ToolList, client: McpClient): Promise<ToolDescription[]> {
  const all = [...tools.all().values()];
  const caller = tools.areProtected
    ? await client.authenticate().catch((error) => throwProtocolError(error, client))
    : undefined;
  const callable = all.filter(({ definition, isReadableBy }) => {
    if (definition === undefined) return true;
    return isReadableBy?.(caller?.principal) ?? hasAccess(definition, caller?.principal);
  });
  return callable.map(({ description }) => description);
}

/** Returns the resources that the client can read. */
async function listResources({ definition, list }: McpResources, client: McpClient) {
  return definition === undefined || hasAccess(definition, await callerOf(definition, client)) ? list() : [];
}

function writeInstructions({ name, description }: McpAbout): string {
  return `${name}: ${description} A result states whether it is truncated and how old its data are: repeat this to the user.`;
}

interface Calling {
  readonly client: McpClient;
  readonly signal: AbortSignal;
}

async function callTool(
  tools: ToolList,
  name: string,
  given: Readonly<Record<string, unknown>>,
  { client, signal }: Calling,
): Promise<CallToolResult> {
  const limited = limitSignal([signal, ...(client.signal === undefined ? [] : [client.signal])]);
  try {
    return await tools.find(name).run({ given, client, signal: limited.signal });
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return errorResult(error, client);
  } finally {
    limited.end();
  }
}

function throwProtocolError(thrown: unknown, client: McpClient): never {
  throw protocolError(thrown, client);
}

/** Converts an error for a resource. Unlike tools, resources have no result for errors, so it becomes a protocol error. */
function protocolError(thrown: unknown, client: McpClient): ProtocolError {
  const { code, message } = publicError(thrown, client);
  return new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, {
    code,
    request_id: client.requestId,
  });
}

/**
 * Writes the error of a call as text, so that a model can correct its call or explain the failure: the permanent error code, the message,
 * and one line per invalid parameter. For programs, `_meta` contains the same facts.
 */
function errorResult(thrown: unknown, client: McpClient): CallToolResult {
  const error = publicError(thrown, client);
  const { requestId } = client;
  const { code, message } = error;
  const faults = (error instanceof EngineError ? error.details.parameters : error.details.errors) ?? [];
  const retry = error instanceof HttpProblem ? error.details.headers?.['Retry-After'] : undefined;
  const facts = {
    code,
    message,
    ...(faults.length > 0 && { errors: faults }),
    ...(retry !== undefined && { retry_after_seconds: Number(retry) }),
    ...(requestId !== undefined && { request_id: requestId }),
  };
  return {
    isError: true,
    content: [{ type: 'text', text: `Error ${code}:${linesOf(message, faults)}` }],
    _meta: { 'repo-insight/error': facts },
  };
}

function linesOf(message: string, faults: readonly unknown[]): string {
  const lines = faults.flatMap((fault) => messageOf(fault) ?? []);
  return lines.length < 2 ? ` ${message}` : ['', ...lines.map((line) => `- ${line}`)].join('\n');
}

function messageOf(fault: unknown): string | undefined {
  const { message } = fault as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

/** Returns the part of an error that the client may see. Failures of the program, and errors with a cause, are also logged. */
function publicError(thrown: unknown, { report }: Pick<McpClient, 'report'>): EngineError | HttpProblem {
  const isPublic = thrown instanceof EngineError || thrown instanceof HttpProblem;
  if (!isPublic || thrown.cause !== undefined) report(thrown);
  if (isPublic) return thrown;
  return new HttpProblem('internal_error', 'The program failed to answer this call. The log contains the cause.');
}

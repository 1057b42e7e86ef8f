import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { limitSignal } from '../../../engine/index.js';
import { SERVICE } from '../../../http/package-root.js';
import type { McpClient, McpParts } from '../mcp-parts.js';
import { errorResult, publicError } from '../tools/tool-errors.js';
import { ToolList } from '../tools/tool-list.js';
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.js';

/** Creates the server of one connection, or of one HTTP request: the protocol has no state between requests. */
export type CreateMcpServer = (client: McpClient) => Server;

/** Creates the function that creates servers. All of them share one list of tools. */
export function mcpServers(parts: McpParts): CreateMcpServer {
  const tools = new ToolList(parts);
  return (client) => {
    const server = new Server(
      { name: SERVICE.name, version: SERVICE.version },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: [...tools.all().values()].map(({ description }) => description),
    }));
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
      count(async () => ({ resources: await listResources(parts.database) })),
    );
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => count(() => readResource(uri, parts.database)));
    return server;
  };
}

const INSTRUCTIONS =
  'Analytic data about open-source repositories on GitHub. Prefer a tool with a fixed query. Use run_sql only if no other tool ' +
  'answers the question, after reading the resources of its tables. A result states whether it is truncated and how old its data ' +
  'are: repeat this to the user.';

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

/** Resources have no result for errors, so their errors are errors of the protocol. */
function protocolError(thrown: unknown, client: McpClient): ProtocolError {
  const { code, message } = publicError(thrown, client);
  return new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, {
    code,
    request_id: client.requestId,
  });
}

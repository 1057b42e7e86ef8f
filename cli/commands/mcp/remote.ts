import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestOptions,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { SERVICE } from '../../../engine/http/package-root.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';
import { serveOnStdio } from './stdio.js';

/** Forwards each request to the service at a URL. Throws if the service cannot be reached. */
export async function serveRemote(context: CommandContext, url: string, tokenFile: string | undefined): Promise<void> {
  const client = await connect(url, await headersOf(context, tokenFile));
  try {
    context.output.note(`Forwarding to ${url}.`);
    await serveOnStdio(context, () => forwardingServer(client, url));
  } finally {
    await client.close();
  }
}

async function headersOf({ cwd }: CommandContext, tokenFile: string | undefined): Promise<Record<string, string>> {
  if (tokenFile === undefined) return {};
  const token = (await readFile(resolve(cwd, tokenFile), 'utf8')).trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`${tokenFile} must contain one token and nothing else.`);
  return { Authorization: `Bearer ${token}` };
}

async function connect(text: string, headers: Record<string, string>): Promise<Client> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(`--url must be a URL such as http://127.0.0.1:3450/mcp, got ${JSON.stringify(text)}`);
  }
  const client = new Client(
    { name: `${SERVICE.name} mcp`, version: SERVICE.version },
    { versionNegotiation: { mode: 'auto' } },
  );
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  } catch (error) {
    throw new Error(`The service at ${text} cannot be reached: ${errorMessage(error)}`, { cause: error });
  }
  return client;
}

function forwardingServer(client: Client, url: string): Server {
  const instructions = client.getInstructions();
  const server = new Server(
    { name: SERVICE.name, version: SERVICE.version },
    { capabilities: { tools: {}, resources: {} }, ...(instructions !== undefined && { instructions }) },
  );
  const forward = async <Result>({ mcpReq }: ServerContext, send: (options: RequestOptions) => Promise<Result>) => {
    try {
      return await send({ signal: mcpReq.signal, timeout: TIMEOUT_MS });
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, describeFailure(error, url));
    }
  };
  server.setRequestHandler('tools/list', ({ params }, context) =>
    forward(context, (options) => client.request({ method: 'tools/list', params: { ...params } }, options)),
  );
  server.setRequestHandler('tools/call', (request, context) =>
    forward(context, (options) => client.request(request, options)),
  );
  server.setRequestHandler('resources/list', ({ params }, context) =>
    forward(context, (options) => client.request({ method: 'resources/list', params: { ...params } }, options)),
  );
  server.setRequestHandler('resources/templates/list', ({ params }, context) =>
    forward(context, (options) =>
      client.request({ method: 'resources/templates/list', params: { ...params } }, options),
    ),
  );
  server.setRequestHandler('resources/read', (request, context) =>
    forward(context, (options) => client.request(request, options)),
  );
  return server;
}

function describeFailure(error: unknown, url: string): string {
  if (error instanceof SdkHttpError && error.status === 401)
    return `The service at ${url} needs a valid credential: start the command with --token-file and a file with a token or an API key.`;
  return `The service at ${url} did not answer: ${errorMessage(error)}`;
}

/** The timeout of a request. It is longer than any answer of the service, because a question can wait for a language model. */
const TIMEOUT_MS = 600_000;

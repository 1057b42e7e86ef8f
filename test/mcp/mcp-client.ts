import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { DemoService } from '../service/demo-service.js';

const PROGRAM = fileURLToPath(new URL('../../cli/repo-insight.cjs', import.meta.url));

/** The two generations of the protocol: one with a handshake, and one without any state. */
export const PROTOCOLS = { '2025-11-25': 'legacy', '2026-07-28': 'auto' } as const;
export type ProtocolVersion = keyof typeof PROTOCOLS;
export const VERSIONS = Object.keys(PROTOCOLS) as ProtocolVersion[];

function createClient(version: ProtocolVersion): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: PROTOCOLS[version] } });
}

/** Connects to `/mcp` of a service over HTTP. */
export async function connectHttp(
  { service }: { readonly service: Pick<DemoService['service'], 'url'> },
  version: ProtocolVersion = '2026-07-28',
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = createClient(version);
  const url = new URL('/mcp', service.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }));
  return client;
}

/** Starts `repo-insight mcp` and connects to it. `words` are its options, and `cwd` its working directory. Closing the client ends the process. */
export async function connectStdio(
  environment: Readonly<Record<string, string>>,
  version: ProtocolVersion = '2026-07-28',
  words: readonly string[] = [],
  cwd?: string,
): Promise<Client> {
  const client = createClient(version);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...environment };
  const args = [PROGRAM, 'mcp', ...words];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env,
      stderr: 'ignore',
      ...(cwd !== undefined && { cwd }),
    }),
  );
  return client;
}

/** The parts of a call's result that tests read. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The error in the form for programs. */
  readonly error: { readonly code: string; readonly message: string; readonly errors?: readonly unknown[] } | undefined;
}

/** Calls a tool. The client validates the result against the output schema of the tool. */
export async function call(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...given } }, signal === undefined ? {} : { signal });
  const [content] = result.content;
  return {
    isError: result.isError === true,
    text: content?.type === 'text' ? content.text : '',
    content: (result.structuredContent ?? {}) as Called['content'],
    error: result._meta?.['repo-insight/error'] as Called['error'],
  };
}

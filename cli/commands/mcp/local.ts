import type { McpClient } from '../../../app-routes/mcp/mcp-parts.js';
import { mcpServers } from '../../../app-routes/mcp/mcp-server.js';
import { DatabaseHeldError } from '../../../engine/databases/duckdb/open-error.js';
import { HttpProblem } from '../../../engine/http/problems/http-problem.js';
import { openMcpParts } from '../../../server/local-parts.js';
import type { Settings } from '../../../server/settings/settings.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';
import { serveOnStdio } from './stdio.js';

/** Serves the definitions of the settings over the database of the settings. There are no rate limits, because there is only one client. */
export async function serveLocal(context: CommandContext): Promise<void> {
  const { settings, output } = context;
  const warehouse = await context.warehouse().catch((error: unknown) => {
    throw error instanceof DatabaseHeldError ? heldByService(error, settings) : error;
  });
  const { parts, close } = await openMcpParts(settings, warehouse);
  try {
    const { create } = mcpServers(parts);
    const client: McpClient = {
      hasKey: false,
      countQuery: async () => {},
      countPlaygroundQuery: async () => {},
      authenticate: async () => undefined,
      count: async () => {},
      identify: async () => {
        throw new HttpProblem('credential_missing', 'Only a service has users; start the command with --url.');
      },
      address: '',
      requestId: undefined,
      report: (error) => output.warn(errorMessage(error)),
      signal: undefined,
    };
    output.note(`${parts.engine.endpoints.length} endpoints for the client on standard input.`);
    await serveOnStdio(context, () => create(client));
  } finally {
    await close();
  }
}

function heldByService({ file, pid }: DatabaseHeldError, { host, port }: Settings): Error {
  return new Error(
    `The database file ${file} is in use by process ${pid}. If it is the running service, forward to it: ` +
      `repo-insight mcp --url http://${host}:${port}/mcp`,
  );
}

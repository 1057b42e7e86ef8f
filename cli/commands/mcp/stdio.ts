import { once } from 'node:events';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';

/**
 * Serves the protocol on standard input and output until the client closes the input or the command is stopped. Standard
 * output contains only messages of the protocol.
 */
export async function serveOnStdio(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  createServer: () => Server,
): Promise<void> {
  const { stdin } = process;
  const ended = once(stdin, 'close', { signal }).catch(() => undefined);
  const serving = serveStdio(createServer, { onerror: (error) => output.warn(describeFault(error)) });
  await ended;
  await serving.close();
  // An open input would keep the process running.
  stdin.destroy();
}

/** The error of the protocol for a message that has another form is a long list of all forms. */
function describeFault(error: Error): string {
  const isOtherForm = error.name.endsWith('ZodError');
  return isOtherForm ? 'A line of the input is not a message of JSON-RPC 2.0.' : errorMessage(error);
}

import { once } from 'node:events';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';

/**
 * Serves the protocol on standard input and output, until the client closes the input or the command is stopped. Only protocol messages are
 * written to standard output.
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
  // If standard input stayed open, the process would not exit.
  stdin.destroy();
}

/**
 * Describes an error of the protocol. For a message of an unknown form, the library's error is a long list of all forms, so it is replaced.
 */
function describeFault(error: Error): string {
  const isOtherForm = error.name.endsWith('ZodError');
  return isOtherForm ? 'A line of the input is not a message of JSON-RPC 2.0.' : errorMessage(error);
}

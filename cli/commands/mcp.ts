import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';

interface Options {
  readonly url?: string;
  readonly tokenFile?: string;
}

export function addMcpCommand(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('serve the endpoints to a language model over standard input and output (Model Context Protocol)')
    .option('--url <url>', 'forward to the service with this URL of /mcp, instead of opening the database')
    .option('--token-file <file>', 'send the token in this file to the service; needs --url')
    .action((options: Options) => serve(context, options));
}

async function serve(context: CommandContext, { url, tokenFile }: Options): Promise<void> {
  if (url !== undefined) {
    const { serveRemote } = await import('./mcp/remote.js');
    return serveRemote(context, url, tokenFile);
  }
  if (tokenFile !== undefined) throw new Error('--token-file needs --url: only a service has users.');
  const { serveLocal } = await import('./mcp/local.js');
  return serveLocal(context);
}

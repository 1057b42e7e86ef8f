import { Command } from 'commander';
import { SERVICE } from '../http/package-root.js';
import { addConfigCommand } from './commands/config.js';
import { addDataCommands } from './commands/data.js';
import { addEndpointCommands } from './commands/endpoint.js';
import { addMcpCommand } from './commands/mcp.js';
import { addOpenApiCommand } from './commands/openapi.js';
import { addServeCommand } from './commands/serve.js';
import { addTablesCommand } from './commands/tables.js';
import { addUserCommands } from './commands/user.js';
import type { CommandContext } from './terminal/command-context.js';

/**
 * Creates the command line parser with all commands for one context. Running it throws `CommanderError` on wrong usage,
 * and also after it has printed help or the version.
 *
 * Each file in `commands/` has one command: a function that adds its name, options and help, and the function that runs
 * it. The function that runs the command loads its modules with `await import()`, so that help and other commands start
 * fast.
 */
export function createProgram(context: CommandContext): Command {
  const program = new Command('repo-insight')
    .description(SERVICE.description)
    .version(SERVICE.version)
    .addHelpText('after', '\nExit codes: 0 success, 1 completed with problems, 2 could not run.')
    .showHelpAfterError('(use --help for the arguments and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.output.print(text.trimEnd()),
      writeErr: (text) => context.output.note(text.trimEnd()),
    });
  addServeCommand(program, context);
  addEndpointCommands(program, context);
  addDataCommands(program, context);
  addTablesCommand(program, context);
  addUserCommands(program, context);
  addOpenApiCommand(program, context);
  addMcpCommand(program, context);
  addConfigCommand(program, context);
  return program;
}

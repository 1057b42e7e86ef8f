import { Command } from 'commander';
import { SERVICE } from '../http/package-root.js';
import { addConfigCommand } from './commands/config.js';
import { addDataCommands } from './commands/data.js';
import { addEndpointCommands } from './commands/endpoint.js';
import { addOpenApiCommand } from './commands/openapi.js';
import { addServeCommand } from './commands/serve.js';
import { addUserCommands } from './commands/user.js';
import type { CommandContext } from './terminal/command-context.js';

/**
 * The whole command line over one context. Throws `CommanderError` on wrong usage, and after help or version.
 *
 * Each file in `commands/` has one command: a function that adds its name, options and help, and the function that runs it. The
 * latter loads what it needs with `await import()`, so that help and other commands stay fast.
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
  addUserCommands(program, context);
  addOpenApiCommand(program, context);
  addConfigCommand(program, context);
  return program;
}

import { Command } from 'commander';
import { SERVICE } from '../http/package-root.js';
import type { CommandContext } from './command-context.js';
import { addConfigCommand } from './commands/config.js';
import { addDataCommands } from './commands/data.js';
import { addEndpointCommands } from './commands/endpoint.js';
import { addOpenApiCommand } from './commands/openapi.js';
import { addServeCommand } from './commands/serve.js';
import { addUserCommands } from './commands/user.js';

/** The whole command line over one context. Throws `CommanderError` on wrong usage, and after help or version. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('repo-insight')
    .description(SERVICE.description)
    .version(SERVICE.version)
    .addHelpText('after', '\nExit codes: 0 done and well, 1 done in part or found wrong, 2 not done.')
    .showHelpAfterError('(add --help for what may be given)')
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

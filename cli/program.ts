import { Command } from 'commander';
import { SERVICE } from '../engine/http/package-root.js';
import { addCatalogueCommand } from './commands/catalogue.js';
import { addClientCommand } from './commands/client.js';
import { addCompletionCommands } from './commands/completion.js';
import { addConfigCommand } from './commands/config.js';
import { addDataCommands } from './commands/data.js';
import { addEndpointCommands } from './commands/endpoint.js';
import { addInitCommand } from './commands/init.js';
import { addKeysCommands } from './commands/keys.js';
import { addMcpCommand } from './commands/mcp.js';
import { addOpenApiCommand } from './commands/openapi.js';
import { addServeCommand } from './commands/serve.js';
import { addTablesCommand } from './commands/tables.js';
import { addUserCommands } from './commands/user.js';
import { addExamples } from './examples.js';
import { paint } from './terminal/colours.js';
import type { CommandContext } from './terminal/command-context.js';
import { DEFAULT_COLUMNS, DISPLAY_OPTIONS } from './terminal/terminal.js';

/**
 * Creates the command line parser with all commands for one context. Parsing throws `CommanderError` for incorrect usage, and also after
 * the help or the version was printed.
 *
 * Each file in `commands/` has one command: a function that adds its name, options and help, and the function that runs
 * it. The function that runs the command loads its modules with `await import()`, so that help and other commands start
 * fast.
 */
export function createProgram(context: CommandContext): Command {
  const program = new Command('repo-insight')
    .description(context.settings.api?.description ?? SERVICE.description)
    .version(SERVICE.version)
    .addHelpText('afterAll', '\nExit codes: 0 success, 1 completed with problems, 2 could not run.')
    .showHelpAfterError('(use --help for the arguments and options)')
    .option(DISPLAY_OPTIONS.wide.flags, DISPLAY_OPTIONS.wide.help)
    .option(DISPLAY_OPTIONS.colour.flags, DISPLAY_OPTIONS.colour.help)
    .option(DISPLAY_OPTIONS.noColour.flags, DISPLAY_OPTIONS.noColour.help)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => paint('bold', title) })
    .configureOutput({
      writeOut: (text) => context.output.print(text.trimEnd()),
      writeErr: (text) => context.output.note(text.trimEnd()),
      outputError: (text) => context.output.error(text.trimEnd()),
      getOutHelpWidth: () => context.output.columns ?? DEFAULT_COLUMNS,
      getErrHelpWidth: () => context.output.columns ?? DEFAULT_COLUMNS,
      getOutHasColors: () => context.output.hasColour.out,
      getErrHasColors: () => context.output.hasColour.err,
    });
  addServeCommand(program, context);
  addInitCommand(program, context);
  addEndpointCommands(program, context);
  if (context.settings.api === undefined) {
    addDataCommands(program, context);
    addTablesCommand(program, context);
    addUserCommands(program, context);
  } else {
    addCatalogueCommand(program, context, context.settings.api);
  }
  addKeysCommands(program, context);
  addOpenApiCommand(program, context);
  addClientCommand(program, context);
  addMcpCommand(program, context);
  addConfigCommand(program, context);
  addCompletionCommands(program, context);
  addExamples(program);
  return program;
}

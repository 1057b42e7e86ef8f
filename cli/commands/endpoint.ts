import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { addCompletionCommands } from './completion.js';
import { addExplainCommand } from './endpoint/explain.js';
import { addListCommand } from './endpoint/list.js';
import { addCanaryCommands } from './endpoint/live/canary.js';
import { addDevCommand } from './endpoint/live/dev.js';
import { addReloadCommand } from './endpoint/live/reload.js';
import { addRunCommand } from './endpoint/run.js';
import { addShowCommand } from './endpoint/show.js';
import { addCheckCommand } from './endpoint/verify/check.js';
import { addDiffCommand } from './endpoint/verify/diff.js';
import { addTestCommand } from './endpoint/verify/test.js';
import { addColumnsCommand } from './endpoint/write/columns.js';
import { addFormatCommand } from './endpoint/write/format.js';
import { addImportCommand } from './endpoint/write/import.js';
import { addNewCommand } from './endpoint/write/new.js';
import { addRenameCommand } from './endpoint/write/rename.js';

export function addEndpointCommands(program: Command, context: CommandContext): void {
  const endpoint = program.command('endpoint').description('list, show, check, test, compare and run definitions');
  addListCommand(endpoint, context);
  addShowCommand(endpoint, context);
  addCheckCommand(endpoint, context);
  addTestCommand(endpoint, context);
  addDiffCommand(endpoint, context);
  addExplainCommand(endpoint, context);
  addRunCommand(endpoint, context);
  addNewCommand(endpoint, context);
  addFormatCommand(endpoint, context);
  addColumnsCommand(endpoint, context);
  addRenameCommand(endpoint, context);
  addImportCommand(endpoint, context);
  addDevCommand(endpoint, context);
  addReloadCommand(endpoint, context);
  addCanaryCommands(endpoint, context);
  addCompletionCommands(endpoint, context);
}

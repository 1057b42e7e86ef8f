import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { addCheckCommand } from './endpoint/check.js';
import { addExplainCommand } from './endpoint/explain.js';
import { addListCommand } from './endpoint/list.js';
import { addRunCommand } from './endpoint/run.js';
import { addShowCommand } from './endpoint/show.js';
import { addTestCommand } from './endpoint/test.js';

export function addEndpointCommands(program: Command, context: CommandContext): void {
  const endpoint = program.command('endpoint').description('list, show, check, test and run definitions');
  addListCommand(endpoint, context);
  addShowCommand(endpoint, context);
  addCheckCommand(endpoint, context);
  addTestCommand(endpoint, context);
  addExplainCommand(endpoint, context);
  addRunCommand(endpoint, context);
}

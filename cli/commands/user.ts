import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { addAuditCommand } from './user-audit.js';
import { addUserListCommand } from './user-list.js';
import { addRemoveCommand } from './user-remove.js';
import { addSwitchCommands } from './user-switches.js';
import { addTokenCommand } from './user-token.js';

export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('see users, trust, disable and remove them, make tokens');
  addUserListCommand(user, context);
  addSwitchCommands(user, context);
  addRemoveCommand(user, context);
  addAuditCommand(user, context);
  addTokenCommand(user, context);
}

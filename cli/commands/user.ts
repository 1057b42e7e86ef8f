import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { addAuditCommand } from './user/audit.js';
import { addDigestCommand } from './user/digest.js';
import { addUserListCommand } from './user/list.js';
import { addRemoveCommand } from './user/remove.js';
import { addRoleCommand } from './user/role.js';
import { addSwitchCommands } from './user/switches.js';
import { addTokenCommand } from './user/token.js';

export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program
    .command('user')
    .description('list, trust, disable and remove users, change their roles and digests, and create tokens');
  addUserListCommand(user, context);
  addSwitchCommands(user, context);
  addRoleCommand(user, context);
  addDigestCommand(user, context);
  addRemoveCommand(user, context);
  addAuditCommand(user, context);
  addTokenCommand(user, context);
}

import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { addCreateCommand } from './keys/create.js';
import { addKeyListCommand } from './keys/list.js';
import { addRevokeCommand } from './keys/revoke.js';
import { addRotateCommand } from './keys/rotate.js';

export function addKeysCommands(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys');
  addCreateCommand(keys, context);
  addKeyListCommand(keys, context);
  addRotateCommand(keys, context);
  addRevokeCommand(keys, context);
}

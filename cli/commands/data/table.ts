import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { addTableDropCommand } from './table-drop.js';
import { addTableListCommand } from './table-list.js';
import { addTableLoadCommand } from './table-load.js';

export function addTableCommands(parent: Command, context: CommandContext): void {
  const table = parent.command('table').description('load, list and drop own tables, which definitions can join');
  addTableLoadCommand(table, context);
  addTableListCommand(table, context);
  addTableDropCommand(table, context);
}

import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { changeableUsers, oneUser } from './one-user.js';

export function addRemoveCommand(parent: Command, context: CommandContext): void {
  parent
    .command('remove')
    .description('remove a user with all that they chose; their account cannot sign in again')
    .argument('<user>', 'login, id, or id:<id>')
    .option('--yes', 'do it: it cannot be undone')
    .action(async (word: string, { yes = false }: { yes?: boolean }) => {
      const users = changeableUsers(await context.warehouse());
      const { id, login, provider, accountId } = await oneUser(users, word);
      if (!yes) {
        const account = `${login}, account ${accountId} of ${provider}`;
        throw new Error(`This would remove user ${id} (${account}) for ever; say --yes to do it.`);
      }
      await users.remove(id, new Date());
      context.output.print(`User ${id} (${login}) was removed.`);
    });
}

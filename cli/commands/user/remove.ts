import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addRemoveCommand(parent: Command, context: CommandContext): void {
  parent
    .command('remove')
    .description('delete a user and their data; their account cannot sign in again')
    .argument('<user>', 'login, id, or id:<id>')
    .option('--yes', 'confirm; this cannot be undone')
    .option('--json', 'print JSON')
    .action((word: string, options: Options) => removeUser(context, word, options));
}

async function removeUser(context: CommandContext, word: string, { yes = false, json }: Options): Promise<void> {
  const { deleteOwnedRows } = await import('../../../explorer/retention/owned-rows.js');
  const { changeableUsers, oneUser } = await import('./one-user.js');
  const users = await changeableUsers(context);
  const { id, login, provider, accountId } = await oneUser(users, word);
  if (!yes) {
    const account = `${login}, account ${accountId} of ${provider}`;
    throw new Error(`This deletes user ${id} (${account}) permanently. Confirm with --yes.`);
  }
  await users.remove(id, new Date(), deleteOwnedRows);
  if (json) context.output.json({ id, login, removed: true });
  else context.output.print(`User ${id} (${login}) was removed.`);
}

import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { wholeNumber } from '../numbers.js';
import { usersOf } from './one-user.js';

interface Options {
  readonly limit: number;
  readonly email?: boolean;
  readonly json?: boolean;
}

export function addUserListCommand(parent: Command, { warehouse, output }: CommandContext): void {
  parent
    .command('list')
    .description('list users, the newest first')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 10_000), 100)
    .option('--email', 'with their e-mail addresses')
    .option('--json', 'as JSON')
    .action(async ({ limit, email: withEmail, json }: Options) => {
      const users = (await usersOf(await warehouse()).listNewest(limit)).map(({ email, ...user }) =>
        withEmail ? { ...user, email } : user,
      );
      if (json) {
        output.json(users);
        return;
      }
      output.table(
        ['id', 'login', 'account', 'name', 'since', 'state', ...(withEmail ? ['e-mail'] : [])],
        users.map(({ id, login, provider, accountId, name, createdAt, isTrusted, isDisabled, ...user }) => [
          id,
          login,
          `${provider}|${accountId}`,
          name,
          createdAt,
          [isTrusted ? 'trusted' : '', isDisabled ? 'disabled' : ''].filter((word) => word !== '').join(', '),
          ...('email' in user ? [user.email] : []),
        ]),
      );
    });
}

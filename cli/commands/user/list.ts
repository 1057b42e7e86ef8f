import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { wholeNumber } from '../../terminal/numbers.js';

interface Options {
  readonly limit: number;
  readonly email?: boolean;
  readonly json?: boolean;
}

export function addUserListCommand(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('list users, newest first')
    .option('--limit <number>', 'maximum number of users', wholeNumber(1, 10_000), 100)
    .option('--email', 'show e-mail addresses')
    .option('--json', 'print JSON')
    .action((options: Options) => listUsers(context, options));
}

async function listUsers(context: CommandContext, { limit, email: withEmail, json }: Options): Promise<void> {
  const { output } = context;
  const { usersOf } = await import('./one-user.js');
  const users = (await (await usersOf(context)).listNewest(limit)).map(({ email, ...user }) =>
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
    { optional: ['name', 'since'] },
  );
}

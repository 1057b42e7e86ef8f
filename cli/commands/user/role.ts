import type { Command } from 'commander';
import type { RoleChange } from '../../../accounts/user-roles.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { repeatable } from '../../terminal/repeatable.js';

interface Options extends RoleChange {
  readonly json?: boolean;
}

export function addRoleCommand(parent: Command, context: CommandContext): void {
  parent
    .command('role')
    .description('list, add and remove the roles of a user')
    .argument('<user>', 'login, id, or id:<id>')
    .option('--add <role>', 'add a role, for role:<role> in the access of endpoints; repeatable', repeatable, [])
    .option('--remove <role>', 'remove a role; repeatable', repeatable, [])
    .option('--json', 'print JSON')
    .action((word: string, options: Options) => changeRoles(context, word, options));
}

async function changeRoles(context: CommandContext, word: string, { add, remove, json }: Options): Promise<void> {
  const { UserRoles } = await import('../../../accounts/user-roles.js');
  const { READ_ONLY_STATE } = await import('../../../server/github-operations.js');
  const { changeableUsers, oneUser, usersOf } = await import('./one-user.js');
  const { checkRoles } = await import('../keys/key-grants.js');
  checkRoles(add, '--add');
  checkRoles(remove, '--remove');
  checkChange({ add, remove });
  const isChange = add.length + remove.length > 0;
  const user = await oneUser(await (isChange ? changeableUsers(context) : usersOf(context)), word);
  const { database, state = READ_ONLY_STATE } = await context.warehouse();
  const roles = new UserRoles(database, state);
  if (isChange) await roles.change(user.id, { add, remove }, new Date());
  const { id, login } = user;
  const all = await roles.rolesOf(user);
  const list = all.length === 0 ? 'no roles' : `the roles ${all.join(', ')}`;
  if (json) context.output.json({ id, login, roles: all });
  else context.output.print(`User ${id} (${login}) has ${list}.`);
}

function checkChange({ add, remove }: RoleChange): void {
  if ([...add, ...remove].includes('trusted'))
    throw new Error('The role trusted belongs to trusted users: use user trust.');
  const both = add.find((role) => remove.includes(role));
  if (both !== undefined) throw new Error(`The role ${both} cannot be added and removed at once.`);
}

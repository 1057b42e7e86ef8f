import { type User, Users } from '../../../accounts/users.js';
import { requireStore } from '../../../server/databases/warehouse.js';
import { READ_ONLY_STATE } from '../../../server/github-operations.js';
import { readRemovalSecret } from '../../../server/identity/token-rules.js';
import type { CommandContext } from '../../terminal/command-context.js';

export async function usersOf(context: UserContext): Promise<Users> {
  const { database, state = READ_ONLY_STATE } = await context.warehouse();
  return new Users(database, state, () => readRemovalSecret(context.settings));
}

/**
 * Returns the users, for commands that change them. Without write access to the database, throws an error that names the setting to change.
 */
export async function changeableUsers(context: UserContext): Promise<Users> {
  requireStore(await context.warehouse());
  return usersOf(context);
}

type UserContext = Pick<CommandContext, 'warehouse' | 'settings'>;

/** Finds a user by login, by id or by `id:<id>`. Throws if no user or several users match. */
export async function oneUser(users: Users, word: string): Promise<User> {
  const [, isId, id] = /^(id:)?([1-9]\d{0,14})$/.exec(word) ?? [];
  const byId = id === undefined ? undefined : await users.findById(Number(id));
  const byLogin = isId === undefined ? await users.findByLogin(word) : [];
  const found = new Map([...(byId === undefined ? [] : [byId]), ...byLogin].map((user) => [user.id, user]));
  const [user, ...others] = [...found.values()];
  if (user === undefined) throw new Error(`There is no user with the login or id ${JSON.stringify(word)}.`);
  if (others.length === 0) return user;
  const names = [user, ...others].map((one) => `id:${one.id} (${one.login} of ${one.provider})`);
  throw new Error(`${JSON.stringify(word)} matches several users; use one of ${names.join(', ')}.`);
}

import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { changeableUsers, oneUser } from './one-user.js';

interface Switch {
  readonly name: string;
  readonly description: string;
  readonly off: string;
  readonly set: 'setTrusted' | 'setDisabled';
  /** What the user is afterwards, switched on and off. */
  readonly told: readonly [on: string, off: string];
}

const SWITCHES: readonly Switch[] = [
  {
    name: 'trust',
    description: 'let a user do what only trusted users may',
    off: 'no longer',
    set: 'setTrusted',
    told: ['is trusted', 'is not trusted'],
  },
  {
    name: 'disable',
    description: 'refuse all that a user asks for, and end their sessions',
    off: 'let them in again',
    set: 'setDisabled',
    told: ['is disabled', 'is not disabled'],
  },
];

export function addSwitchCommands(parent: Command, { warehouse, output }: CommandContext): void {
  for (const { name, description, off, set, told } of SWITCHES) {
    parent
      .command(name)
      .description(description)
      .argument('<user>', 'login, id, or id:<id>')
      .option('--off', off)
      .action(async (word: string, { off: isOff = false }: { off?: boolean }) => {
        const users = changeableUsers(await warehouse());
        const { id, login } = await oneUser(users, word);
        await users[set](id, !isOff, new Date());
        output.print(`User ${id} (${login}) ${told[isOff ? 1 : 0]}.`);
      });
  }
}

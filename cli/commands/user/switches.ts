import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Switch {
  readonly name: string;
  readonly description: string;
  readonly off: string;
  readonly set: 'setTrusted' | 'setDisabled';
  readonly member: 'trusted' | 'disabled';
  /** The description of the user in the message of the command, if the switch is on and if it is off. */
  readonly states: readonly [on: string, off: string];
}

const SWITCHES: readonly Switch[] = [
  {
    name: 'trust',
    description: 'give a user the rights of trusted users',
    off: 'take these rights away',
    set: 'setTrusted',
    member: 'trusted',
    states: ['is trusted', 'is not trusted'],
  },
  {
    name: 'disable',
    description: 'reject all requests of a user and end their sessions',
    off: 'accept their requests again',
    set: 'setDisabled',
    member: 'disabled',
    states: ['is disabled', 'is not disabled'],
  },
];

interface Options {
  readonly off?: boolean;
  readonly json?: boolean;
}

export function addSwitchCommands(parent: Command, context: CommandContext): void {
  for (const each of SWITCHES) {
    parent
      .command(each.name)
      .description(each.description)
      .argument('<user>', 'login, id, or id:<id>')
      .option('--off', each.off)
      .option('--json', 'print JSON')
      .action((word: string, options: Options) => setSwitch(context, each, word, options));
  }
}

async function setSwitch(
  context: CommandContext,
  { set, member, states: [on, off] }: Switch,
  word: string,
  { off: isOff = false, json }: Options,
): Promise<void> {
  const { changeableUsers, oneUser } = await import('./one-user.js');
  const users = await changeableUsers(context);
  const { id, login } = await oneUser(users, word);
  await users[set](id, !isOff, new Date());
  const { output } = context;
  if (json) output.json({ id, login, [member]: !isOff });
  else output.print(`User ${id} (${login}) ${isOff ? off : on}.`);
}

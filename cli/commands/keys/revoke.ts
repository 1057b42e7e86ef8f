import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addRevokeCommand(parent: Command, context: CommandContext): void {
  parent
    .command('revoke')
    .description('revoke an API key: services reject it within a second')
    .argument('<key>', 'name or id')
    .option('--yes', 'confirm; this cannot be undone')
    .option('--json', 'print JSON')
    .action((word: string, options: Options) => revokeKey(context, word, options));
}

async function revokeKey(context: CommandContext, word: string, { yes = false, json }: Options): Promise<void> {
  const { changeOneKey, describeKey } = await import('./stored-key.js');
  const now = new Date();
  const revokedAt = now.toISOString();
  const { id, name } = await changeOneKey(context, word, now, (key) => {
    if (!yes) throw new Error(`This revokes key ${key.id} (${key.name}) permanently. Confirm with --yes.`);
    return { ...key, revokedAt };
  });
  if (json) context.output.json({ id, name, revokedAt });
  else context.output.print(`${describeKey({ id, name })} was revoked.`);
}

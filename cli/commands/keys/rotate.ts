import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { duration } from '../../terminal/numbers.js';

interface Options {
  readonly grace?: number;
  readonly json?: boolean;
}

export function addRotateCommand(parent: Command, context: CommandContext): void {
  parent
    .command('rotate')
    .description('create a new secret for an API key and print it')
    .argument('<key>', 'name or id')
    .option(
      '--grace <duration>',
      'how long the previous secret stays valid, such as 24h; without it, it ends now',
      duration,
    )
    .option('--json', 'print JSON')
    .action((word: string, options: Options) => rotateKey(context, word, options));
}

async function rotateKey(context: CommandContext, word: string, { grace, json = false }: Options): Promise<void> {
  const { createSecret, hashOf, stateOf } = await import('../../../accounts/keys/api-key.js');
  const { changeOneKey, describeKey } = await import('./stored-key.js');
  const { printSecret } = await import('./print-secret.js');
  const now = new Date();
  const validUntil = grace === undefined ? undefined : new Date(now.getTime() + grace).toISOString();
  let secret = '';
  const changed = await changeOneKey(context, word, now, ({ previous: _previous, ...key }) => {
    if (stateOf(key, now) === 'expired')
      throw new Error(`${describeKey(key)} expired at ${key.expiresAt}: revoke it, and create a new key.`);
    secret = createSecret(key.id);
    return {
      ...{ ...key, sha256: hashOf(secret).toString('hex') },
      ...(validUntil !== undefined && { previous: { sha256: key.sha256, validUntil } }),
    };
  });
  const { sha256: _sha256, previous: _previous, ...key } = changed;
  const ends = validUntil === undefined ? 'is not valid any more' : `is valid until ${validUntil}`;
  const notes = [`${describeKey(key)} has a new secret. The previous secret ${ends}.`];
  printSecret(context, { key, secret, json, notes, members: { previousValidUntil: validUntil } });
}

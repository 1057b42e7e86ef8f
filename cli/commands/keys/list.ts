import type { Command } from 'commander';
import type { StoredKey } from '../../../accounts/keys/api-key.js';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addKeyListCommand(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('list the API keys, and the revoked and expired keys of the last 90 days')
    .option('--json', 'print JSON')
    .action((options: Options) => listKeys(context, options));
}

async function listKeys({ settings, output }: CommandContext, { json }: Options): Promise<void> {
  const { stateOf } = await import('../../../accounts/keys/api-key.js');
  const { readUse } = await import('../../../accounts/keys/key-use.js');
  const { readKeys } = await import('../../../accounts/keys/stored-keys.js');
  const { keyLocation } = await import('../../../server/settings/key-location.js');
  const { file, useFolder } = keyLocation(settings);
  const now = new Date();
  const rows = [];
  for (const { sha256: _sha256, previous, ...key } of await readKeys(file)) {
    const lastUsedAt = (await readUse(useFolder, key.id))?.toISOString();
    rows.push({ ...key, previousValidUntil: previous?.validUntil, state: stateOf(key, now), lastUsedAt });
  }
  if (json) output.json(rows);
  else
    output.table(
      ['id', 'name', 'state', 'scopes', 'roles', 'claims', 'limits', 'created', 'expires', 'last use'],
      rows.map(({ createdAt, expiresAt = '', lastUsedAt = '', state, ...key }) => [
        ...[key.id, key.name, state, key.scopes.join(', '), key.roles.join(', '), claimsOf(key), limitsOf(key)],
        ...[createdAt, expiresAt, lastUsedAt],
      ]),
      { optional: ['claims', 'roles', 'limits', 'created'] },
    );
}

function claimsOf({ claims }: Pick<StoredKey, 'claims'>): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function limitsOf({ requestsPerMinute, requestsPerHour }: Partial<StoredKey>): string {
  return [
    ...(requestsPerMinute === undefined ? [] : [`${requestsPerMinute}/min`]),
    ...(requestsPerHour === undefined ? [] : [`${requestsPerHour}/h`]),
  ].join(', ');
}

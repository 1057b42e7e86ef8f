import type { Command } from 'commander';
import type { StoredKey } from '../../../accounts/keys/api-key.js';
import type { BusyKey } from '../../../app-routes/console/operator-status.js';
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

/** The requests of a key since the start of a service. */
type Usage = Omit<BusyKey, 'id' | 'name'>;

async function listKeys(context: CommandContext, { json }: Options): Promise<void> {
  const { settings, output } = context;
  const { stateOf } = await import('../../../accounts/keys/api-key.js');
  const { readUse } = await import('../../../accounts/keys/key-use.js');
  const { readKeys } = await import('../../../accounts/keys/stored-keys.js');
  const { keyLocation } = await import('../../../server/settings/key-location.js');
  const { file, useFolder } = keyLocation(settings);
  const now = new Date();
  const usages = await readUsages(context);
  const rows = [];
  for (const { sha256: _sha256, previous, ...key } of await readKeys(file)) {
    const lastUsedAt = (await readUse(useFolder, key.id))?.toISOString();
    const usage = usages && (usages.get(key.id) ?? UNUSED);
    rows.push({ ...key, previousValidUntil: previous?.validUntil, state: stateOf(key, now), lastUsedAt, ...usage });
  }
  if (json) output.json(rows);
  else
    output.table(
      [
        ...['id', 'name', 'state', 'scopes', 'roles', 'claims', 'limits', 'created', 'expires', 'last use'],
        ...(usages === undefined ? [] : Object.keys(UNUSED)),
      ],
      rows.map(({ createdAt, expiresAt = '', lastUsedAt = '', state, ...key }) => [
        ...[key.id, key.name, state, key.scopes.join(', '), key.roles.join(', '), claimsOf(key), limitsOf(key)],
        ...[createdAt, expiresAt, lastUsedAt],
        ...(usages === undefined ? [] : Object.values(usages.get(key.id) ?? UNUSED)),
      ]),
      { optional: ['claims', 'roles', 'limits', 'created'] },
    );
}

const UNUSED: Usage = { requests: 0, limited: 0, failed: 0 };

/** Returns the requests of each key since the start of the running services, added for all processes. Undefined if no service runs. */
async function readUsages({ service, askServices }: CommandContext): Promise<ReadonlyMap<string, Usage> | undefined> {
  if (service !== undefined) return new Map(service.keys.busiest().map(({ id, ...usage }) => [id, usage]));
  const replies = await askServices(['keys', 'list', '--json']);
  const listed = replies
    .filter(({ code }) => code === 0)
    .flatMap(({ out }) => JSON.parse(out) as ({ id: string } & Partial<Usage>)[]);
  // A service of an earlier version does not count requests.
  const counted = listed.filter((row): row is { id: string } & Usage => row.requests !== undefined);
  if (counted.length === 0) return undefined;
  const sums = new Map<string, Usage>();
  for (const { id, requests, limited, failed } of counted) {
    const sum = sums.get(id) ?? UNUSED;
    sums.set(id, {
      requests: sum.requests + requests,
      limited: sum.limited + limited,
      failed: sum.failed + failed,
    });
  }
  return sums;
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

import type { Command } from 'commander';
import type { ApiKey, StoredKey } from '../../../accounts/keys/api-key.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { duration, wholeNumber } from '../../terminal/numbers.js';
import { repeatable } from '../../terminal/repeatable.js';

interface Options {
  readonly scope: readonly string[];
  readonly role: readonly string[];
  readonly claim: readonly string[];
  readonly expires?: number;
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly json?: boolean;
}

export function addCreateCommand(parent: Command, context: CommandContext): void {
  parent
    .command('create')
    .description('create an API key and print its secret')
    .argument('<name>', 'name of the key, such as the name of the program that uses it')
    .option('--scope <scope>', "what the key can read: an endpoint, tag:<tag>, or '*'; repeatable", repeatable, [])
    .option('--role <role>', 'role of the key; repeatable', repeatable, [])
    .option('--claim <name=value>', 'claim of the key that api.yaml declares; repeatable', repeatable, [])
    .option('--expires <duration>', 'lifetime of the key, such as 90d; without it, the key does not expire', duration)
    .option('--per-minute <number>', 'requests per minute of this key', wholeNumber(1, MAX_REQUESTS))
    .option('--per-hour <number>', 'requests per hour of this key', wholeNumber(1, MAX_REQUESTS))
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => createKey(context, name, options));
}

const MAX_REQUESTS = 1_000_000_000;

async function createKey(context: CommandContext, name: string, options: Options): Promise<void> {
  const { checkRoles, checkScopes, findMissingGrants, readClaims } = await import('./key-grants.js');
  const { createId, createSecret, hashOf } = await import('../../../accounts/keys/api-key.js');
  const { MAX_KEYS } = await import('../../../accounts/keys/stored-keys.js');
  const { keyLocation } = await import('../../../server/settings/key-location.js');
  const { changeStoredKeys, describeKey } = await import('./stored-key.js');
  const { printSecret } = await import('./print-secret.js');
  const { scope: scopes, role: roles, claim, expires, perMinute, perHour, json = false } = options;
  checkName(name);
  checkRoles(roles);
  const claims = readClaims(context.settings, claim);
  const endpoints = await checkScopes(context.settings, scopes);
  const notes = findMissingGrants(endpoints, { scopes, roles, claims });
  const now = new Date();
  const { key, secret } = await changeStoredKeys(context, now, (keys) => {
    requireNewName(keys, name);
    if (keys.length >= MAX_KEYS) throw new Error(`There are ${MAX_KEYS} keys, which is the maximum.`);
    const id = createId(keys);
    const key: ApiKey = {
      ...{ id, name, scopes, roles, claims, createdAt: now.toISOString() },
      ...(expires !== undefined && { expiresAt: new Date(now.getTime() + expires).toISOString() }),
      ...(perMinute !== undefined && { requestsPerMinute: perMinute }),
      ...(perHour !== undefined && { requestsPerHour: perHour }),
    };
    const secret = createSecret(id);
    return { keys: [...keys, { ...key, sha256: hashOf(secret).toString('hex') }], result: { key, secret } };
  });
  printSecret(context, {
    key,
    secret,
    json,
    notes: [`${describeKey(key)} was created in ${keyLocation(context.settings).file}.`, ...notes],
  });
}

function checkName(name: string): void {
  if (!NAME.test(name))
    throw new Error(`Expected a name of 1 to 60 printable characters, got ${JSON.stringify(name)}.`);
  if (/^[0-9a-f]{8}$/.test(name)) throw new Error(`Expected a name that does not look like an id, got ${name}.`);
}

/** Printable characters, and single spaces between them. */
const NAME = /^(?=.{1,60}$)[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u;

function requireNewName(keys: readonly StoredKey[], name: string): void {
  const other = keys.find((key) => key.name === name && key.revokedAt === undefined);
  if (other === undefined) return;
  throw new Error(`Key ${other.id} has the name ${name}: choose another name, or revoke or rotate this key.`);
}

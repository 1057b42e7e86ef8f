import type { Command } from 'commander';
import type { Database } from '../../../engine/index.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { wholeNumber } from '../../terminal/numbers.js';

interface Options {
  readonly days: number;
  readonly name?: string;
  readonly email?: string;
}

export function addTokenCommand(parent: Command, context: CommandContext): void {
  parent
    .command('token')
    .description('print a development token for a login; not available with JWT_JWKS_URL')
    .argument('<login>', 'login of the token; the user is created at the first request')
    .option('--days <number>', 'lifetime in days', wholeNumber(1, 365), 7)
    .option('--name <text>', 'name of the user')
    .option('--email <address>', 'e-mail address of the user')
    .action((login: string, options: Options) => printToken(context, login, options));
}

async function printToken(context: CommandContext, login: string, { days, name, email }: Options): Promise<void> {
  const { readLogin } = await import('../../../accounts/identity/account-fields.js');
  const { signToken } = await import('../../../accounts/identity/bearer-tokens.js');
  const { createTokenRules } = await import('../../../server/identity/token-rules.js');
  if (!LOGIN.test(login) || readLogin(login) !== login)
    throw new Error(`Expected a login of 1 to 100 visible characters, got ${JSON.stringify(login)}.`);
  const { database } = await context.warehouse();
  const { keys, ...rules } = await createTokenRules(context.settings);
  if (!('secret' in keys)) {
    throw new Error('Tokens are verified with the keys at JWT_JWKS_URL; only their issuer can create a token.');
  }
  const claims = {
    sub: `development|${(await idOf(database, login)) ?? login}`,
    preferred_username: login,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email, email_verified: true }),
  };
  context.output.print(await signToken(rules, keys.secret, claims, days * 86_400, new Date()));
}

const LOGIN = /^[^\s\p{C}]{1,100}$/u;

/** Returns the GitHub id of the login, if it is known from the events. */
async function idOf(database: Database, login: string): Promise<string | undefined> {
  const { readStateRows } = await import('../../../accounts/state-reads.js');
  const select =
    'SELECT id FROM github_users WHERE LOWER(login) = :p1 ORDER BY is_deleted, updated_at DESC, id LIMIT 1';
  const [row] = await readStateRows(database, select, [login.toLowerCase()]);
  return row && String(row[0]);
}

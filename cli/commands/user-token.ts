import type { Command } from 'commander';
import { readLogin } from '../../accounts/identity/account-fields.js';
import { signToken } from '../../accounts/identity/bearer-tokens.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { Database } from '../../engine/index.js';
import { tokenRules } from '../../server/token-rules.js';
import type { CommandContext } from '../command-context.js';
import { wholeNumber } from '../numbers.js';

interface Options {
  readonly days: number;
  readonly name?: string;
  readonly email?: string;
}

export function addTokenCommand(parent: Command, context: CommandContext): void {
  parent
    .command('token')
    .description('print a token of a login for development; needs the secret of tokens, JWT_SECRET or its own')
    .argument('<login>', 'whose token; need not be a user yet')
    .option('--days <number>', 'how long it holds', wholeNumber(1, 365), 7)
    .option('--name <text>', 'the name of the user')
    .option('--email <address>', 'the e-mail address of the user')
    .action((login: string, options: Options) => printToken(context, login, options));
}

async function printToken(context: CommandContext, login: string, { days, name, email }: Options): Promise<void> {
  if (!LOGIN.test(login) || readLogin(login) !== login)
    throw new Error(`Expected a login of 1 to 100 visible characters, got ${JSON.stringify(login)}.`);
  const { database } = await context.warehouse();
  const { keys, ...rules } = await tokenRules(context.settings);
  if (!('secret' in keys)) {
    throw new Error('Tokens are checked by the keys at JWT_JWKS_URL: only their issuer can make one.');
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

/** The id that the login has on the hosting platform, as far as the events tell. */
async function idOf(database: Database, login: string): Promise<string | undefined> {
  const select =
    'SELECT id FROM github_users WHERE LOWER(login) = :p1 ORDER BY is_deleted, updated_at DESC, id LIMIT 1';
  const [row] = await readStateRows(database, select, [login.toLowerCase()]);
  return row && String(row[0]);
}

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenRules } from '../app-routes/identity/tokens.js';
import type { Settings } from './settings.js';

type IdentitySettings = Pick<
  Settings,
  'dataDirectory' | 'jwtIssuer' | 'jwtAudience' | 'jwtJwksUrl' | 'jwtSecret' | 'jwtClockSkew'
>;

/** What tokens must be like. Where no keys are set, a secret of this service's own is made, and kept in `DATA_DIR`. */
export async function tokenRules(settings: IdentitySettings): Promise<TokenRules> {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtClockSkew: clockSkew, jwtJwksUrl: jwksUrl } = settings;
  const keys = jwksUrl === undefined ? { secret: settings.jwtSecret ?? (await ownSecret(settings)) } : { jwksUrl };
  return { issuer, audience, clockSkew, keys };
}

async function ownSecret({ dataDirectory }: IdentitySettings): Promise<string> {
  const file = join(dataDirectory, 'jwt-secret');
  // Of two processes that start at once, one makes it.
  await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(ifThere);
  const secret = await readFile(file, 'utf8');
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new Error(`The secret of tokens in ${file} is damaged: remove the file, or set JWT_SECRET.`);
}

function ifThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

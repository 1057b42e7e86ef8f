import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenRules } from '../app-routes/identity/tokens.js';
import type { Settings } from './settings/settings.js';

type IdentitySettings = Pick<Settings, 'dataDirectory' | 'jwtIssuer' | 'jwtAudience' | 'jwtJwksUrl' | 'jwtSecret'>;

/** The clocks of issuer and service may differ by this. */
export const CLOCK_SKEW_SECONDS = 30;

/** What tokens must be like. Where no keys are set, a secret of this service's own is made, and kept in `DATA_DIR`. */
export async function tokenRules(settings: IdentitySettings): Promise<TokenRules> {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtJwksUrl: jwksUrl } = settings;
  const keys =
    jwksUrl === undefined
      ? { secret: settings.jwtSecret ?? (await ownSecret(settings, 'jwt-secret', 'JWT_SECRET')) }
      : { jwksUrl };
  return { issuer, audience, clockSkew: CLOCK_SKEW_SECONDS, keys };
}

/** A secret that this service makes for itself where none is set, in a file of `DATA_DIR` that only its owner may read. */
export async function ownSecret(
  { dataDirectory }: Pick<Settings, 'dataDirectory'>,
  name: string,
  setting: string,
): Promise<string> {
  const file = join(dataDirectory, name);
  const secret = await readFile(file, 'utf8').catch(() => made(file));
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new Error(`The secret in ${file} is damaged: remove the file, or set ${setting}.`);
}

/** Of several that make it at once, the first one's counts; it is there when it is whole. */
async function made(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
    await link(draft, file).catch(ifThere);
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, 'utf8');
}

function ifThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

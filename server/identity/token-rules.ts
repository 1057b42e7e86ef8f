import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenRules } from '../../accounts/identity/bearer-tokens.js';
import { createBoundedFetch } from '../../github/client/bounded-fetch.js';
import type { Settings } from '../settings/settings.js';
import { CLOCK_SKEW_SECONDS } from '../settings/timeouts.js';

/** The `fetch` for requests to identity providers and token issuers. The request fails for a response above the maximum size. */
export const PROVIDER_FETCH = createBoundedFetch(1_048_576);

type IdentitySettings = Pick<Settings, 'dataDirectory' | 'jwtIssuer' | 'jwtAudience' | 'jwtJwksUrl' | 'jwtSecret'>;

/**
 * Returns the rules for bearer tokens. If no keys are configured, the service generates a secret and stores it in
 * `DATA_DIR`.
 */
export async function createTokenRules(settings: IdentitySettings): Promise<TokenRules> {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtJwksUrl: jwksUrl } = settings;
  const keys =
    jwksUrl === undefined
      ? { secret: settings.jwtSecret ?? (await readOrCreateSecret(settings, 'jwt-secret', 'JWT_SECRET')) }
      : { jwksUrl, fetch: PROVIDER_FETCH };
  return { issuer, audience, clockSkew: CLOCK_SKEW_SECONDS, keys };
}

/**
 * Returns a secret for the case that `setting` is not set. The secret is stored in a file in `DATA_DIR` that only its owner can read, and
 * created if it does not exist.
 */
export async function readOrCreateSecret(
  { dataDirectory }: Pick<Settings, 'dataDirectory'>,
  name: string,
  setting: string,
): Promise<string> {
  const file = join(dataDirectory, name);
  const secret = await readFile(file, 'utf8').catch(() => generateSecret(file));
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new Error(`The secret in ${file} is damaged: remove the file, or set ${setting}.`);
}

/**
 * Returns the secret that signs cursors. The secret is derived from a secret that all processes of a service share, so it needs no setting.
 * The shared secret cannot be computed from the derived one.
 */
export function readCursorSecret(settings: SharedSecretSettings): Promise<Buffer> {
  return deriveSecret(settings, 'repo-insight cursors');
}

/** Returns the secret for the hashes of removed accounts. The secret is derived like the secret for cursors. */
export function readRemovalSecret(settings: SharedSecretSettings): Promise<Buffer> {
  return deriveSecret(settings, 'repo-insight removed accounts');
}

/** Returns the secret of the links that end digests. The secret is derived like the secret for cursors. */
export function readUnsubscribeSecret(settings: SharedSecretSettings): Promise<Buffer> {
  return deriveSecret(settings, 'repo-insight unsubscribe links');
}

type SharedSecretSettings = Pick<Settings, 'dataDirectory' | 'sessionSecret' | 'jwtSecret'>;

async function deriveSecret(settings: SharedSecretSettings, purpose: string): Promise<Buffer> {
  const shared =
    settings.sessionSecret ??
    settings.jwtSecret ??
    (await readOrCreateSecret(settings, 'session-secret', 'SESSION_SECRET'));
  return Buffer.from(hkdfSync('sha256', shared, '', purpose, 32));
}

/**
 * Generates the secret and stores it in the file. If several processes do this at the same time, the first one creates the file, and all of
 * them use its secret. The file is created atomically, with its complete content.
 */
async function generateSecret(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
    await link(draft, file).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, 'utf8');
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

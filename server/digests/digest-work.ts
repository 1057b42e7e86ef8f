import type { Logger } from 'pino';
import { Digests } from '../../accounts/digests.js';
import type { StateStore } from '../../accounts/state-store.js';
import { Subscriptions } from '../../accounts/subscriptions.js';
import { UnsubscribeTokens } from '../../accounts/unsubscribe-tokens.js';
import { Users } from '../../accounts/users.js';
import { StoredImages } from '../../console/images/stored-images.js';
import { SERVICE } from '../../engine/http/package-root.js';
import type { Database, Engine } from '../../engine/index.js';
import { type RepeatedWork, repeat } from '../background/repeat.js';
import { readRemovalSecret, readUnsubscribeSecret } from '../identity/token-rules.js';
import type { Settings } from '../settings/settings.js';
import type { Timeouts } from '../settings/timeouts.js';
import { type DigestParts, sendDigests } from './send-digests.js';

export interface DigestWorkParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly state: StateStore;
  readonly engine: Engine;
  readonly timeouts: Pick<Timeouts, 'imageMs' | 'mailMs'>;
  readonly systemClock: () => Date;
  readonly logger: Logger;
}

/** Creates what is needed to write and send digests. Undefined if e-mail is not configured. The caller closes the images. */
export async function openDigests(
  parts: DigestWorkParts,
): Promise<(DigestParts & { readonly images: StoredImages }) | undefined> {
  const { settings, database, state, engine, timeouts, systemClock, logger } = parts;
  const { smtpUrl, mailFrom, publicUrl } = settings;
  if (smtpUrl === undefined || mailFrom === undefined || publicUrl === undefined) return undefined;
  const removalSecret = await readRemovalSecret(settings);
  return {
    digests: new Digests(database, state),
    users: new Users(database, state, async () => removalSecret),
    subscriptions: new Subscriptions(database, state),
    engine,
    images: new StoredImages(timeouts.imageMs),
    tokens: new UnsubscribeTokens(await readUnsubscribeSecret(settings)),
    service: SERVICE.name,
    publicUrl,
    smtpUrl,
    mailFrom,
    createLimit: () => AbortSignal.timeout(timeouts.mailMs),
    clock: systemClock,
    logger,
  };
}

/** Sends the digests that are due, now and every minute. Undefined if e-mail is not configured. */
export async function startDigests(parts: DigestWorkParts): Promise<Pick<RepeatedWork, 'stop'> | undefined> {
  const opened = await openDigests(parts);
  if (opened === undefined) return undefined;
  const stopping = new AbortController();
  const work = repeat('sending digests', EVERY_MS, () => sendDigests(opened, stopping.signal), parts.logger);
  void work.now();
  return {
    stop: async () => {
      stopping.abort();
      await work.stop();
      await opened.images.close();
    },
  };
}

const EVERY_MS = 60_000;

import MailComposer from 'nodemailer/lib/mail-composer';
import type { Logger } from 'pino';
import { weekBefore } from '../../accounts/digest-times.js';
import type { DigestClaim, DigestOutcome, Digests } from '../../accounts/digests.js';
import { isEmailAddress } from '../../accounts/identity/account-fields.js';
import type { Subscriptions } from '../../accounts/subscriptions.js';
import type { UnsubscribeTokens } from '../../accounts/unsubscribe-tokens.js';
import type { User, Users } from '../../accounts/users.js';
import { drawStars } from '../../app-routes/digests/draw-stars.js';
import { readWeek } from '../../app-routes/digests/read-week.js';
import { hasChanges, writeDigest } from '../../app-routes/digests/write-digest.js';
import { contentHash } from '../../console/content-hash.js';
import type { StoredImages } from '../../console/images/stored-images.js';
import type { Engine } from '../../engine/index.js';
import { type Delivery, type Mail, sendMail } from './mailer.js';

export interface DigestParts {
  readonly digests: Digests;
  readonly users: Pick<Users, 'findById'>;
  readonly subscriptions: Pick<Subscriptions, 'list'>;
  readonly engine: Engine;
  readonly images: Pick<StoredImages, 'get'>;
  readonly tokens: UnsubscribeTokens;
  /** The name of the service. */
  readonly service: string;
  /** The public URL of the service, without a slash at the end. */
  readonly publicUrl: string;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  /** Creates the time limit for sending one message. */
  readonly createLimit: () => AbortSignal;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** The number of users that are read at once. */
const BATCH_SIZE = 50;

/**
 * Sends all digests that are due, one after the other. Ends early when `signal` aborts, and when a failure would also affect the next digests,
 * for example because the mail server is not available.
 */
export async function sendDigests(parts: DigestParts, signal: AbortSignal): Promise<void> {
  let hasClaimed = true;
  while (hasClaimed) {
    hasClaimed = false;
    for (const userId of await parts.digests.findDue(parts.clock(), BATCH_SIZE)) {
      if (signal.aborted) return;
      const claim = await parts.digests.claim(userId, parts.clock());
      if (claim === undefined) continue;
      hasClaimed = true;
      const { outcome, isGeneral } = await attempt(parts, claim);
      await parts.digests.end(claim, outcome, parts.clock());
      if (isGeneral) return;
    }
  }
}

interface Attempt {
  readonly outcome: DigestOutcome;
  readonly isGeneral: boolean;
}

async function attempt(parts: DigestParts, claim: DigestClaim): Promise<Attempt> {
  const { digests, logger, smtpUrl } = parts;
  const { userId } = claim;
  let mail: Mail | undefined;
  try {
    const user = await parts.users.findById(userId);
    mail = user && (await composeDigest(parts, user, claim));
  } catch (error) {
    logger.error({ err: error, user: userId }, 'a digest could not be written; it is tried again later');
    return { outcome: 'retry', isGeneral: true };
  }
  if (mail === undefined) return { outcome: 'skipped', isGeneral: false };
  const delivery = await sendMail(mail, smtpUrl, parts.createLimit(), () => digests.begin(claim));
  report(logger, userId, delivery);
  return { outcome: OUTCOMES[delivery.outcome], isGeneral: delivery.isGeneral };
}

const OUTCOMES: Readonly<Record<Delivery['outcome'], DigestOutcome>> = {
  sent: 'sent',
  rejected: 'undeliverable',
  failed: 'retry',
  unknown: 'skipped',
  withdrawn: 'skipped',
};

function report(logger: Logger, user: number, { outcome, detail }: Delivery): void {
  if (outcome === 'sent') logger.info({ user }, 'a digest was sent');
  else if (outcome !== 'withdrawn') logger.warn({ user, outcome, detail }, MESSAGES[outcome]);
}

const MESSAGES = {
  rejected: 'the mail server does not accept e-mails for the address of a user, who gets no more digests',
  failed: 'a digest was not sent; it is tried again later',
  unknown: 'the connection failed at the end of a digest; it is not sent again, because it may have been sent',
} as const;

/** Writes the e-mail with the digest of a user. Undefined if there is nothing to send. Throws the errors of the database. */
export async function composeDigest(
  parts: DigestParts,
  user: User,
  { timeZone, dueAt }: Pick<DigestClaim, 'timeZone' | 'dueAt'>,
): Promise<Mail | undefined> {
  if (user.isDisabled || !user.getsUpdates || !isEmailAddress(user.email)) return undefined;
  const subscriptions = await parts.subscriptions.list(user.id);
  if (subscriptions.length === 0) return undefined;
  const days = weekBefore(dueAt, timeZone);
  const week = await readWeek(parts.engine, subscriptions, days);
  if (!hasChanges(week)) return undefined;
  const { publicUrl, service } = parts;
  const unsubscribe = `${publicUrl}/unsubscribe/${parts.tokens.create(user.id)}`;
  const picture = await drawStars(parts.images, week, days).catch((error: unknown) => {
    parts.logger.warn({ err: error }, 'the picture of a digest could not be drawn; the digest has no picture');
    return undefined;
  });
  const host = new URL(publicUrl).hostname;
  const { subject, text, html } = writeDigest(service, days, week, { publicUrl, unsubscribe }, picture && 'cid:stars');
  const composer = new MailComposer({
    from: parts.mailFrom,
    to: { name: '', address: user.email },
    subject,
    text,
    html,
    ...(picture && {
      attachments: [{ cid: 'stars', filename: 'stars.png', contentType: 'image/png', content: picture }],
    }),
    date: parts.clock(),
    // Mail programs show one of two e-mails with the same id.
    messageId: `<${contentHash(`${days.lastDay} ${unsubscribe}`)}@${host}>`,
    headers: {
      'List-Id': `${service} digest <digest.${host}>`,
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  const { from } = message.getEnvelope();
  return { from: String(from), to: user.email, text: await message.build() };
}

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
/** A run ends after this number of failures without a success between them, because the next digests would probably fail too. */
const MAX_FAILURES = 3;

/**
 * Sends all digests that are due, one after the other, each at most once in a run. Ends early when `signal` aborts, when the mail server is
 * not available, and after several failures in a row. The next run continues.
 */
export async function sendDigests(parts: DigestParts, signal: AbortSignal): Promise<void> {
  const tried = new Set<number>();
  let failures = 0;
  for (;;) {
    const due = await parts.digests.findDue(parts.clock(), BATCH_SIZE);
    const untried = due.filter((userId) => !tried.has(userId));
    if (untried.length === 0) return;
    for (const userId of untried) {
      if (signal.aborted) return;
      tried.add(userId);
      const { outcome, isGeneral } = await sendDigest(parts, userId);
      failures = outcome === 'retry' ? failures + 1 : 0;
      if (isGeneral || failures === MAX_FAILURES) return;
    }
  }
}

interface Attempt {
  /** Undefined if the digest was not due any more, or is scheduled for the next week without an attempt. */
  readonly outcome: DigestOutcome | undefined;
  /** Whether the next digests would fail too. */
  readonly isGeneral: boolean;
}

async function sendDigest(parts: DigestParts, userId: number): Promise<Attempt> {
  const { digests, clock } = parts;
  const claim = await digests.claim(userId, clock());
  if (claim === undefined) return { outcome: undefined, isGeneral: false };
  const attempt = await attemptDigest(parts, claim);
  await digests.end(claim, attempt.outcome, clock());
  return attempt;
}

async function attemptDigest(
  parts: DigestParts,
  claim: DigestClaim,
): Promise<Attempt & { readonly outcome: DigestOutcome }> {
  const { digests, logger, smtpUrl, clock } = parts;
  const { userId, dueAt } = claim;
  let mail: Mail | undefined;
  try {
    const user = await parts.users.findById(userId);
    mail = user && (await composeDigest(parts, user, dueAt));
  } catch (error) {
    logger.error({ err: error, user: userId }, 'a digest could not be written; it is tried again later');
    return { outcome: 'retry', isGeneral: false };
  }
  if (mail === undefined) return { outcome: 'skipped', isGeneral: false };
  const delivery = await sendMail(mail, smtpUrl, parts.createLimit(), () => digests.begin(claim, clock()));
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
export async function composeDigest(parts: DigestParts, user: User, dueAt: Date): Promise<Mail | undefined> {
  if (user.isDisabled || !user.getsUpdates || !isEmailAddress(user.email)) return undefined;
  const subscriptions = await parts.subscriptions.list(user.id);
  if (subscriptions.length === 0) return undefined;
  const days = weekBefore(dueAt);
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
  // The addresses of the envelope have domains in ASCII.
  const { from, to } = message.getEnvelope();
  const [recipient] = to;
  if (from === false || recipient === undefined) throw new Error('The addresses of an e-mail could not be read.');
  return { from, to: recipient, text: await message.build() };
}

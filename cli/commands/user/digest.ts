import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly off?: boolean;
  readonly preview?: boolean;
  readonly json?: boolean;
}

export function addDigestCommand(parent: Command, context: CommandContext): void {
  parent
    .command('digest')
    .description('show when a user gets the next weekly digest; with options, print or disable it')
    .argument('<user>', 'login, id, or id:<id>')
    .option('--preview', 'print the e-mail about the last week, without sending it')
    .option('--off', 'disable the digest, for example because e-mails came back')
    .option('--json', 'print JSON')
    .action((word: string, options: Options) =>
      options.preview ? previewDigest(context, word) : showDigest(context, word, options),
    );
}

async function showDigest(context: CommandContext, word: string, { off, json }: Options): Promise<void> {
  const { output } = context;
  const { changeableUsers, oneUser, usersOf } = await import('./one-user.js');
  const { OPERATOR } = await import('../../../accounts/audit-log.js');
  const { Digests } = await import('../../../accounts/digests.js');
  const { READ_ONLY_STATE } = await import('../../../server/github-operations.js');
  const users = await (off ? changeableUsers(context) : usersOf(context));
  const { id, login } = await oneUser(users, word);
  if (off) await users.setEmailUpdates(id, false, new Date(), { actor: OPERATOR });
  const { database } = await context.warehouse();
  const digest = off ? null : ((await new Digests(database, READ_ONLY_STATE).find(id)) ?? null);
  if (json) return output.json({ id, login, digest });
  if (digest === null) return output.print(`${login} gets no digest.`);
  const { timeZone, nextAt, sentAt, undeliverableSince } = digest;
  const next =
    undeliverableSince === null
      ? `next at ${nextAt}`
      : `no more, because a mail server rejected the address at ${undeliverableSince}`;
  output.print(`${login} gets digests in the time zone ${timeZone}: ${next}; last at ${sentAt ?? '–'}.`);
}

async function previewDigest(context: CommandContext, word: string): Promise<void> {
  const { settings, output } = context;
  const { oneUser, usersOf } = await import('./one-user.js');
  const { openDigests } = await import('../../../server/digests/digest-work.js');
  const { composeDigest } = await import('../../../server/digests/send-digests.js');
  const { READ_ONLY_STATE } = await import('../../../server/github-operations.js');
  const { createLog } = await import('../../../server/logging/log.js');
  const { TIMEOUTS } = await import('../../../server/settings/timeouts.js');
  const { withEngine } = await import('../endpoint/with-engine.js');
  const user = await oneUser(await usersOf(context), word);
  // Standard output contains only the e-mail.
  const logger = createLog(settings, { fd: 2 });
  const now = settings.now === undefined ? new Date() : new Date(settings.now);
  await withEngine(context, undefined, async (engine, database) => {
    const parts = { settings, database, state: READ_ONLY_STATE, engine, timeouts: TIMEOUTS, logger };
    const digests = await openDigests({ ...parts, systemClock: () => now });
    if (digests === undefined) throw new Error('E-mail is not configured: set SMTP_URL, MAIL_FROM and PUBLIC_URL.');
    try {
      const mail = await composeDigest(digests, { ...user, getsUpdates: true }, now);
      if (mail === undefined) throw new Error(`${user.login} would get no e-mail: ${NO_MAIL}.`);
      output.print(mail.text.toString());
    } finally {
      await digests.images.close();
    }
  });
}

const NO_MAIL =
  'the user has no verified address, is disabled, follows no repository, or nothing is known to have changed';

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createRandom } from '../../demo/world/random.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { requireStore } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { type MailServer, startMailServer } from '../digests/mail-server.js';
import { copyDemo, DEMO_SIZE, NOW } from '../service/demo-data.js';
import { JWT_SECRET } from '../service/demo-service.js';
import { onBothDatabases } from '../services/mysql.js';
import { record, seedOf } from './report.js';

const SENDER = fileURLToPath(new URL('../digests/digest-sender.js', import.meta.url));
const USERS = Number(process.env.DIGEST_USERS ?? 60);
const DUE = Date.parse('2026-07-06T08:00:00Z');
/** Longer than the lease of a claim. */
const ROUND_MS = 11 * 60_000;

onBothDatabases('digests of processes that are killed at random moments', (environment) => {
  let folder: string;
  let mails: MailServer;
  let settings: Readonly<Record<string, string>>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-digests-'));
    mails = await startMailServer();
    settings = {
      ...{ DATA_DIR: folder, NOW, JWT_SECRET, ...environment(), DATABASE_THREADS: '1' },
      ...{ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'digest@mail.example' },
      PUBLIC_URL: 'https://stats.example',
    };
    await copyDemo(readSettings(settings), DEMO_SIZE);
    await storeUsers(settings);
  });
  after(async () => {
    await mails?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are sent at most once, and at least to all users whose text no killed process was sending', async () => {
    const random = createRandom(seedOf('killed digests'), 'kills');
    // A slow mail server, so that many kills happen while it gets a text.
    const slowly = () => pause(random.below(60), undefined);
    Object.assign(mails, { onRecipient: slowly, onText: slowly });
    let kills = 0;
    let isDone = false;
    for (let round = 0; !isDone; round += 1) {
      const child = fork(SENDER, [new Date(DUE + round * ROUND_MS).toISOString()], {
        env: { ...process.env, ...settings },
      });
      const exit = once(child, 'exit');
      const done = once(child, 'message').then(() => true);
      // The start of the process takes most of this time. The last rounds are long enough for all remaining digests.
      isDone = await Promise.race([
        done,
        pause(500 + random.below(1_500) + 300 * round, false),
        exit.then(() => false),
      ]);
      if (!isDone) kills += Number(child.kill('SIGKILL'));
      await exit;
    }
    const recipients = mails.accepted.flatMap(({ to }) => to);
    record('killed digests', `${USERS} users, ${kills} kills, ${USERS - recipients.length} digests not sent`);
    expect(new Set(recipients).size, 'no digest twice').to.equal(recipients.length);
    expect(recipients.length).to.be.at.least(USERS - kills);
    expect(kills).to.be.greaterThan(2);
  });
});

/** Stores users who follow the first repository and get digests. */
async function storeUsers(settings: Readonly<Record<string, string>>): Promise<void> {
  const warehouse = await openWarehouse(readSettings(settings), { migrating: true });
  const ids = Array.from({ length: USERS }, (_, index) => index + 1);
  const due = new Date(DUE).toISOString().slice(0, 19).replace('T', ' ');
  await requireStore(warehouse).write(async (tables) => {
    const [[repository = null] = []] = await tables.rows(
      'SELECT repo_id FROM mv_repo_totals ORDER BY stars DESC LIMIT 1',
    );
    for (const id of ids) {
      await tables.run(`INSERT INTO sys_users (id, name, email_address, email_get_updates, created_at)
        VALUES (${id}, '', 'user${id}@people.example', 1, '2026-01-01 00:00:00')`);
      await tables.run(`INSERT INTO sys_accounts (provider, provider_account_id, user_id, login, avatar_url, profile_at)
        VALUES ('host', '${id}', ${id}, 'user${id}', '', '2026-01-01 00:00:00')`);
      await tables.run(`INSERT INTO sys_subscribed_repos (user_id, repo_id, subscribed, subscribed_at)
        VALUES (${id}, ${repository}, 1, '2026-01-01 00:00:00')`);
      await tables.run(`INSERT INTO sys_digests (user_id, time_zone, due_at, attempt_at, attempts, state)
        VALUES (${id}, 'UTC', '${due}', '${due}', 0, 'waiting')`);
    }
  });
  await warehouse.close();
}

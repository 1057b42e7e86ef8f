import { expect } from 'chai';
import { pino } from 'pino';
import type { DigestStatus } from '../../accounts/digests.js';
import type { Users } from '../../accounts/users.js';
import { createEngine, type Engine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { openDigests } from '../../server/digests/digest-work.js';
import { composeDigest, type DigestParts, sendDigests } from '../../server/digests/send-digests.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import {
  createUsers,
  type DemoService,
  JWT_SECRET,
  SYSTEM_TIME,
  startDemoService,
  tokenOf,
} from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually, LIMIT_MS } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { type MailServer, startMailServer } from './mail-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** The first Monday after the system time, at 8 o'clock in UTC. */
const DUE = new Date('2026-07-06T08:00:00Z');
const NEVER_STOPS = new AbortController().signal;

type Opened = NonNullable<Awaited<ReturnType<typeof openDigests>>>;

onBothDatabases('weekly digests', weeklyDigests);

function weeklyDigests(environment: () => Record<string, string>): void {
  let demo: DemoService;
  let users: Users;
  let engine: Engine;
  let mails: MailServer;
  let proxy: TcpProxy;
  let now = SYSTEM_TIME;
  let digests: Opened;
  const lines: string[] = [];

  before(async () => {
    demo = await startDemoService({ ...environment(), ENDPOINTS_DIR: FEW_ENDPOINTS }, { systemClock: () => now });
    users = createUsers(demo.database, demo.state);
    mails = await startMailServer();
    proxy = await startTcpProxy(mails.port);
    const endpoints = (await loadDefinitions({ endpointsDirectory: undefined })).filter(
      ({ definition }) => definition.name === 'changes-of-repositories',
    );
    const metadataTimeoutMs = PATIENT_METADATA_TIMEOUT_MS;
    engine = createEngine({ endpoints, database: demo.database, stopwatch: () => 0, metadataTimeoutMs });
    digests = await open();
  });
  const nextTest = () => {
    now = SYSTEM_TIME;
    mails.accepted.length = 0;
    mails.onSender = async () => undefined;
    mails.onRecipient = async () => undefined;
    mails.onText = async () => undefined;
    lines.length = 0;
  };
  beforeEach(nextTest);
  after(async () => {
    await digests?.images.close();
    await proxy?.close();
    await mails?.close();
    await demo?.close();
  });

  const open = async (): Promise<Opened> => {
    const settings = readSettings({
      ...{ JWT_SECRET, PUBLIC_URL: 'https://stats.example/base', MAIL_FROM: 'Numbers <digest@mail.example>' },
      SMTP_URL: `smtp://127.0.0.1:${proxy.port}`,
    });
    const { database, state } = demo;
    const logger = pino({}, { write: (line) => lines.push(line) });
    const timeouts = { imageMs: LIMIT_MS, mailMs: LIMIT_MS };
    const parts = await openDigests({ settings, database, state, engine, timeouts, systemClock: () => now, logger });
    if (parts === undefined) throw new Error('E-mail is not configured.');
    return parts;
  };
  const send = (changed: Partial<DigestParts> = {}) => sendDigests({ ...digests, ...changed }, NEVER_STOPS);
  const as = async (login: string, path: string, init: RequestInit = {}) => {
    const claims = { email: `${login}@people.example`, email_verified: true };
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(login, claims)}` };
    return demo.get(path, { ...init, headers });
  };
  const enable = (login: string, body: object = { enable: true }) =>
    as(login, '/user/digest/', { method: 'PUT', body: JSON.stringify(body) });
  const idOf = async (login: string) => ((await (await as(login, '/user/')).json()) as { readonly id: number }).id;
  const statusOf = async (login: string) => {
    const body = (await (await as(login, '/user/digest/')).json()) as DigestStatus;
    return body;
  };
  /** Creates a user who follows the most starred repository and gets digests. */
  const follow = async (login: string, body?: object) => {
    await as(login, `/repos/${demo.repository}/subscribe/`, { method: 'PUT' });
    await enable(login, body);
    return idOf(login);
  };
  /** Disables the digests, so that the next tests do not send them. */
  const leave = (login: string) => enable(login, { enable: false });
  const recipients = () => mails.accepted.flatMap(({ to }) => to);

  it('are sent once on Monday at 8 o’clock in the time zone of the user, with text, HTML, a picture and a link to stop', async () => {
    await follow('reader', { enable: true, timeZone: 'Asia/Kolkata' });
    const due = new Date('2026-07-06T02:30:00Z');
    expect(await statusOf('reader')).to.deep.equal({
      ...{ isAvailable: false, hasAddress: true, timeZone: 'Asia/Kolkata', nextAt: '2026-07-06T02:30:00Z' },
      ...{ sentAt: null, undeliverableSince: null },
    });
    now = new Date(due.getTime() - 1_000);
    await send();
    expect(mails.accepted).to.deep.equal([]);
    now = due;
    await send();
    await send();
    const [mail, ...others] = mails.accepted;
    expect(others).to.deep.equal([]);
    expect([mail?.from, mail?.to]).to.deep.equal(['digest@mail.example', ['reader@people.example']]);
    const text = (mail?.text ?? '').replaceAll('=\r\n', '').replaceAll(/\r\n (?=\S)/g, ' ');
    expect(text).to.match(/^From: Numbers <digest@mail.example>\r$/m);
    expect(text).to.match(/^To: reader@people.example\r$/m);
    expect(text).to.match(/^Subject: [\w-]+\/[\w-]+ has \d+ new stars?\. repo-insight, 2026-06-29 to 2026-07-05\r$/m);
    expect(text).to.include(`Subject: ${demo.repository} has`);
    expect(text).to.match(/^List-Unsubscribe: <https:\/\/stats.example\/base\/unsubscribe\/\d+\.[\w-]{43}>\r$/m);
    expect(text).to.match(/^List-ID: repo-insight digest <digest.stats.example>\r$/m);
    expect(text).to.match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(text).to.match(/^Date: Mon, 06 Jul 2026 02:30:00 \+0000\r$/m);
    expect(text).to.include(`\r\n  https://stats.example/base/p/repositories/${demo.repository}\r\n`);
    // Some of the seven days are unknown, so they are not compared with the week before.
    expect(text).to.match(/^ {2}\d+ new stars?, \d+ issues? opened, \d+ pull/m);
    expect(text).to.include('The data of this service end at 2026-06-30');
    expect(text).to.include('Content-Type: image/png').and.to.include('Content-ID: <stars>');
    expect(text).to.match(/<img src=3D"cid:stars"/);
    expect(await statusOf('reader')).to.include({ sentAt: '2026-07-06T02:30:00Z', nextAt: '2026-07-13T02:30:00Z' });
    expect(lines.join()).to.include('a digest was sent').and.not.to.include('people.example');
    await leave('reader');
  });

  it('compare a week with the one before if the data contain both', async () => {
    now = new Date('2026-06-20T12:00:00Z');
    await follow('early');
    now = new Date('2026-06-22T08:00:00Z');
    await send();
    const text = (mails.accepted[0]?.text ?? '').replaceAll('=\r\n', '');
    expect(text).to.match(/^ {2}\d+ new stars? \(.*the week before\), \d+ issues? opened, \d+ pull/m);
    await leave('early');
  });

  it('are sent once by several processes at the same time', async () => {
    for (const login of ['first', 'second', 'third']) await follow(login);
    now = DUE;
    await Promise.all([send(), send(), send()]);
    expect(recipients().sort()).to.deep.equal(['first', 'second', 'third'].map((login) => `${login}@people.example`));
    for (const login of ['first', 'second', 'third']) await leave(login);
  });

  it('are tried again, less and less often, until the mail server accepts them', async () => {
    await follow('patient');
    const rejections = ['451 4.3.0 Try later', '554 5.7.1 Relay access denied', '452 4.2.2 Mailbox full'];
    mails.onRecipient = async () => rejections.shift();
    mails.onText = async () => (rejections.length === 0 && texts++ === 0 ? '451 4.3.0 Not now' : undefined);
    let texts = 0;
    now = DUE;
    const delays = [0, 5, 15, 45, 135];
    for (const [attempt, minutes] of delays.entries()) {
      now = new Date(now.getTime() + minutes * MINUTE_MS - 1_000);
      if (attempt > 0) await send();
      expect(recipients(), `before attempt ${attempt + 1}`).to.deep.equal([]);
      now = new Date(now.getTime() + 1_000);
      await send();
    }
    expect(recipients()).to.deep.equal(['patient@people.example']);
    expect(await statusOf('patient')).to.include({ nextAt: '2026-07-13T08:00:00Z' });
    await leave('patient');
  });

  it('are sent later if the mail server is away, stalls or closes the connection before it gets the text', async () => {
    await follow('unlucky');
    now = DUE;
    const unused = await startTcpProxy(mails.port);
    await unused.close();
    await send({ smtpUrl: `smtp://127.0.0.1:${unused.port}` });
    now = new Date(now.getTime() + 5 * MINUTE_MS);
    const limit = new AbortController();
    proxy.stall();
    const sending = send({ createLimit: () => limit.signal });
    await eventually(() => proxy.connections > 0);
    limit.abort();
    await sending;
    proxy.resume();
    now = new Date(now.getTime() + 15 * MINUTE_MS);
    mails.onRecipient = async () => {
      proxy.cut();
      return undefined;
    };
    await send();
    expect(recipients()).to.deep.equal([]);
    mails.onRecipient = async () => undefined;
    now = new Date(now.getTime() + 45 * MINUTE_MS);
    await send();
    expect(recipients()).to.deep.equal(['unlucky@people.example']);
    await leave('unlucky');
  });

  it('are not sent again if the connection fails, or the mail server stalls, after it got the text', async () => {
    const limit = new AbortController();
    const stall = () => {
      proxy.stall();
      limit.abort();
    };
    for (const [login, fault] of [
      ['cut', () => proxy.cut()],
      ['stalled', stall],
    ] as const) {
      await follow(login);
      now = DUE;
      mails.onText = async () => {
        fault();
        return undefined;
      };
      await send({ createLimit: () => limit.signal });
      proxy.resume();
      expect(await statusOf(login)).to.include({ sentAt: null, nextAt: '2026-07-13T08:00:00Z' });
      mails.onText = async () => undefined;
      for (const minutes of [5, 60, 24 * 60]) {
        now = new Date(DUE.getTime() + minutes * MINUTE_MS);
        await send();
      }
      expect(recipients().filter((to) => to.startsWith(login))).to.have.length(1);
      expect(lines.join()).to.include('it may have been sent');
      await leave(login);
      now = SYSTEM_TIME;
    }
  });

  it('are sent later by another process if the first one was killed before the mail server got the text, and else not', async () => {
    const [early, late] = [await follow('killed-early'), await follow('killed-late')];
    const stored = digests.digests;
    now = DUE;
    const claims = [await stored.claim(early, now), await stored.claim(late, now)];
    expect(claims.map((claim) => claim?.attempt)).to.deep.equal([1, 1]);
    const [claimOfEarly, claimOfLate] = claims;
    if (claimOfEarly === undefined || claimOfLate === undefined) throw new Error('The digests cannot be claimed.');
    expect(await stored.begin(claimOfLate, now)).to.equal(true);
    // The first process ends here.
    now = new Date(DUE.getTime() + 9 * MINUTE_MS);
    await send();
    expect(recipients()).to.deep.equal([]);
    now = new Date(DUE.getTime() + 10 * MINUTE_MS);
    await send();
    await send();
    expect(recipients()).to.deep.equal(['killed-early@people.example']);
    expect(await stored.begin(claimOfEarly, now), 'a process that was only slow must not send it').to.equal(false);
    await stored.end(claimOfEarly, 'retry', now);
    expect(await statusOf('killed-early')).to.include({ nextAt: '2026-07-13T08:00:00Z' });
    expect(await statusOf('killed-late')).to.include({ nextAt: '2026-07-13T08:00:00Z', sentAt: null });
    for (const login of ['killed-early', 'killed-late']) await leave(login);
  });

  it('wait for the next minute if the mail server rejects the sender, instead of trying all users', async () => {
    for (const [step, answer] of [
      ['onSender', '550 5.7.1 Sender not allowed'],
      ['onRecipient', '550 5.1.7 Sender address is not valid'],
      ['onRecipient', '550 5.1.8 Domain of the sender does not exist'],
    ] as const) {
      const logins = ['a', 'b'].map((letter) => `${letter}-${answer.slice(4, 9).replaceAll('.', '-')}`);
      for (const login of logins) await follow(login);
      let attempts = 0;
      mails[step] = async () => {
        attempts += 1;
        return answer;
      };
      now = DUE;
      await send();
      expect(attempts, answer).to.equal(1);
      mails[step] = async () => undefined;
      now = new Date(DUE.getTime() + 5 * MINUTE_MS);
      await send();
      expect(recipients().sort(), answer).to.deep.equal(logins.map((login) => `${login}@people.example`));
      for (const login of logins) await leave(login);
      nextTest();
    }
  });

  it('are sent to the other users if one of them cannot be sent, until three in a row fail', async () => {
    const logins = ['one', 'two', 'three', 'four', 'five'];
    for (const login of logins) await follow(login);
    const unwritten = new Set([await idOf('one'), await idOf('three')]);
    const failing = (ids: ReadonlySet<number>) => ({
      findById: async (id: number) => {
        if (ids.has(id)) throw new Error('This user cannot be read.');
        return users.findById(id);
      },
    });
    now = DUE;
    await send({ users: failing(unwritten) });
    expect(recipients()).to.deep.equal(['two', 'four', 'five'].map((login) => `${login}@people.example`));
    for (const login of logins) await leave(login);
    nextTest();
    const all = ['six', 'seven', 'eight', 'nine'];
    for (const login of all) await follow(login);
    now = DUE;
    let texts = 0;
    mails.onText = async () => {
      texts += 1;
      return '554 5.7.1 The content looks like spam';
    };
    await send();
    expect(texts).to.equal(3);
    for (const login of all) await leave(login);
  });

  it('are sent to the domain of an address in ASCII', async () => {
    const user = await users.findById(await follow('global'));
    if (user === undefined) throw new Error('The user was not created.');
    const mail = await composeDigest(digests, { ...user, email: 'reader@bücher.example' }, DUE);
    expect(mail?.to).to.equal('reader@xn--bcher-kva.example');
    await leave('global');
  });

  it('are sent only by the last process that claimed them', async () => {
    const id = await follow('claimed-twice');
    const stored = digests.digests;
    const slow = await stored.claim(id, DUE);
    const last = await stored.claim(id, new Date(DUE.getTime() + 10 * MINUTE_MS));
    if (slow === undefined || last === undefined) throw new Error('The digest cannot be claimed.');
    expect([slow.attempt, last.attempt]).to.deep.equal([1, 2]);
    expect([await stored.begin(slow, now), await stored.begin(last, now), await stored.begin(last, now)]).to.deep.equal(
      [false, true, false],
    );
    await stored.end(slow, 'retry', now);
    await stored.end(last, 'sent', now);
    expect(await statusOf('claimed-twice')).to.include({ sentAt: '2026-06-30T12:00:00Z' });
    await leave('claimed-twice');
  });

  it('end for an address that the mail server does not know, until the user enables them again', async () => {
    await follow('unknown');
    mails.onRecipient = async () => '550 5.1.1 No such user Unknown (UNKNOWN@People.Example)';
    now = DUE;
    await send();
    expect(await statusOf('unknown')).to.include({ nextAt: null, undeliverableSince: '2026-07-06T08:00:00Z' });
    expect(lines.join())
      .to.include('<address>')
      .and.not.to.match(/people.example|unknown \(/i);
    mails.onRecipient = async () => undefined;
    now = new Date(DUE.getTime() + 7 * DAY_MS);
    await send();
    expect(recipients()).to.deep.equal([]);
    await enable('unknown');
    expect(await statusOf('unknown')).to.include({ nextAt: '2026-07-20T08:00:00Z', undeliverableSince: null });
    await leave('unknown');
  });

  it('are not sent if the user disables them in the last moment', async () => {
    await follow('undecided');
    mails.onRecipient = async () => {
      await leave('undecided');
      return undefined;
    };
    now = DUE;
    await send();
    expect(recipients()).to.deep.equal([]);
  });

  it('are not sent without an address, subscriptions or changes, to disabled users, or two days late', async () => {
    const withoutAddress = { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('nameless')}` };
    const put = { method: 'PUT', headers: withoutAddress };
    await demo.get(`/repos/${demo.repository}/subscribe/`, put);
    await demo.get('/user/email-updates/', { ...put, body: JSON.stringify({ enable: true }) });
    await enable('lonely');
    const disabled = await follow('disabled');
    await users.setDisabled(disabled, true, now);
    now = DUE;
    await send();
    await follow('late');
    now = new Date(DUE.getTime() + 9 * DAY_MS + 1_000);
    await send();
    expect(await statusOf('late')).to.include({ nextAt: '2026-07-20T08:00:00Z', sentAt: null });
    now = new Date('2026-07-20T08:00:00Z');
    // In this week, nothing happened.
    await send();
    expect(await statusOf('late')).to.include({ nextAt: '2026-07-27T08:00:00Z', sentAt: null });
    expect(recipients()).to.deep.equal([]);
    for (const login of ['lonely', 'late']) await leave(login);
  });

  it('are sent at most once in a week if the user changes the time zone, or disables and enables them', async () => {
    await follow('traveller', { enable: true, timeZone: 'Asia/Tokyo' });
    now = new Date('2026-07-05T23:00:00Z');
    await send();
    expect(recipients()).to.have.length(1);
    await enable('traveller', { enable: true, timeZone: 'America/Los_Angeles' });
    expect(await statusOf('traveller')).to.include({ nextAt: '2026-07-13T15:00:00Z' });
    await leave('traveller');
    expect(await statusOf('traveller')).to.include({ timeZone: null, nextAt: null });
    await enable('traveller');
    expect(await statusOf('traveller')).to.include({ timeZone: 'America/Los_Angeles', nextAt: '2026-07-13T15:00:00Z' });
    await leave('traveller');
    for (const timeZone of ['Mars/Olympus', 'local', 'system', 'default', 'UTC+3', '+01:00', 'Etc/Unknown']) {
      const wrong = await enable('traveller', { enable: true, timeZone });
      expect([wrong.status, ((await wrong.json()) as { readonly detail: string }).detail]).to.deep.equal([
        400,
        `timeZone must be the name of a time zone, such as Europe/Berlin, got "${timeZone}"`,
      ]);
    }
  });

  it('are at most one in a week if it is unknown whether the last one was sent', async () => {
    await follow('twice', { enable: true, timeZone: 'Asia/Tokyo' });
    now = new Date('2026-07-05T23:00:00Z');
    mails.onText = async () => {
      proxy.cut();
      return undefined;
    };
    await send();
    proxy.resume();
    expect(recipients()).to.deep.equal(['twice@people.example']);
    const nextInLosAngeles = { nextAt: '2026-07-13T15:00:00Z', sentAt: null };
    await enable('twice', { enable: true, timeZone: 'America/Los_Angeles' });
    expect(await statusOf('twice')).to.include(nextInLosAngeles);
    await leave('twice');
    await enable('twice');
    expect(await statusOf('twice')).to.include(nextInLosAngeles);
    await leave('twice');
  });

  it('are still sent in the week in which the user changes the time zone after a failure', async () => {
    await follow('moving', { enable: true, timeZone: 'Asia/Tokyo' });
    now = new Date('2026-07-05T23:00:00Z');
    mails.onRecipient = async () => '451 4.3.0 Try later';
    await send();
    mails.onRecipient = async () => undefined;
    await enable('moving', { enable: true, timeZone: 'America/Los_Angeles' });
    now = new Date(now.getTime() + 5 * MINUTE_MS);
    await send();
    expect(recipients()).to.deep.equal(['moving@people.example']);
    expect(mails.accepted[0]?.text).to.include('2026-06-28 to 2026-07-04');
    expect(await statusOf('moving')).to.include({ nextAt: '2026-07-13T15:00:00Z', sentAt: '2026-07-05T23:05:00Z' });
    await leave('moving');
  });

  it('end by their link without sign-in, only after a POST, and only with a token from this service', async () => {
    const [id, other] = [await follow('leaving'), await follow('staying')];
    const { tokens } = digests;
    const path = `/unsubscribe/${tokens.create(id)}`;
    const page = await demo.get(path);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(await page.text()).to.include('<form method="post">');
    expect((await demo.get(path, { method: 'HEAD' })).status).to.equal(200);
    expect((await statusOf('leaving')).timeZone).to.equal('UTC');
    const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
    const forged = tokens.create(id).replace(`${id}.`, `${other}.`);
    for (const token of [
      forged,
      `${other}`,
      `${other}.`,
      `0${tokens.create(other)}`,
      tokens.create(other).slice(0, -1),
    ]) {
      const answer = await demo.get(`/unsubscribe/${token}`, oneClick);
      expect([answer.status, ((await answer.json()) as { readonly code: string }).code], token).to.deep.equal([
        404,
        'unsubscribe_link_invalid',
      ]);
    }
    for (let times = 0; times < 2; times += 1) expect((await demo.get(path, oneClick)).status).to.equal(200);
    expect((await statusOf('leaving')).timeZone).to.equal(null);
    expect(await (await as('leaving', '/user/email-updates/')).json()).to.deep.equal({ emailGetUpdates: false });
    expect((await statusOf('staying')).timeZone).to.equal('UTC');
    await users.remove(other, now, deleteOwnedRows);
    expect((await demo.get(`/unsubscribe/${tokens.create(other)}`, oneClick)).status).to.equal(200);
    now = DUE;
    await send();
    expect(recipients()).to.deep.equal([]);
  });
}

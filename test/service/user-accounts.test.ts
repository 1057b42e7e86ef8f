import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import { createTokenReader } from '../../accounts/identity/bearer-tokens.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { Users } from '../../accounts/users.js';
import { createIdentify } from '../../app-routes/sign-in/identify.js';
import { userOperations } from '../../app-routes/user.js';
import { createRateLimits } from '../../engine/http/limits/request-limits.js';
import { mount } from '../../engine/http/operations/mount.js';
import type { Operation, PersonalRequest } from '../../engine/http/operations/operation.js';
import { errorAnswers } from '../../engine/http/problems/error-answers.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { errorOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import {
  createUsers,
  type DemoService,
  JWT_SECRET,
  SYSTEM_TIME,
  startDemoService,
  tokenOf,
  waitForPlayground,
} from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { ownAccount } from './own-account.js';

const FOR_TRUSTED: Operation = {
  access: 'trusted',
  tag: 'Test',
  id: 'secret',
  method: 'get',
  path: '/secret/',
  summary: 'For trusted users',
  answer: {},
  handle: () => ({ body: {} }),
};
/** Different subjects. Each would be equal to another one if trailing spaces, case or Unicode normalization were ignored. */
const SUBJECTS = ['x', 'x ', 'x  ', ' x', 'X', 'x\u00a0', '\u00e9', 'e\u0301', 'E\u0301', '\u{1d4b3}', '\u{1d4b3} '];
const JSON_TYPE = { 'Content-Type': 'application/json' };

onBothDatabases('users', userAccounts);

function userAccounts(database: () => Record<string, string>, onServer: boolean): void {
  let demo: DemoService;
  let users: Users;
  before(async () => {
    demo = await startDemoService({ ...database(), ENDPOINTS_DIR: FEW_ENDPOINTS });
    users = createUsers(demo.database, demo.state);
  });
  after(() => demo.close());

  const withToken = async (token: string, path = '/user/', init: RequestInit = {}) => {
    const headers = { ...init.headers, Authorization: `Bearer ${token}` };
    const response = await demo.get(path, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const all = async () => users.listNewest(10_000);

  it('are created once each by a hundred concurrent first calls of ten accounts', async () => {
    const logins = Array.from({ length: 10 }, (_, index) => `one-of-ten-${index}`);
    const calls = Array.from({ length: 10 }, () => logins).flat();
    const answers = await Promise.all(calls.map(async (login) => withToken(await tokenOf(login))));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    for (const login of logins) {
      const ids = answers.filter(({ body }) => body.hostLogin === login).map(({ body }) => body.id);
      expect([ids.length, new Set(ids).size]).to.deep.equal([10, 1]);
    }
    expect((await all()).filter(({ login }) => logins.includes(login))).to.have.length(10);
  });

  it('have the data of the newest token; an older one changes nothing', async () => {
    const at = SYSTEM_TIME.getTime() / 1_000 - 100;
    const signName = (preferred_username: string, iat: number, more = {}) =>
      tokenOf('renamed', { sub: 'host|77', preferred_username, iat, ...more });
    const mail = (email: string) => ({ email, email_verified: true });
    const first = await withToken(await signName('old-name', at, mail('old@example.org')));
    expect(first.body).to.include({ hostLogin: 'old-name', emailAddress: 'old@example.org', hostId: 77 });
    const later = await withToken(await signName('new-name', at + 10, mail('new@example.org')));
    expect(later.body).to.include({ id: first.body.id, hostLogin: 'new-name', emailAddress: 'new@example.org' });
    const again = await withToken(await signName('old-name', at, mail('old@example.org')));
    expect(again.body).to.include({ hostLogin: 'new-name', emailAddress: 'new@example.org' });
    const moved = await withToken(await signName('new-name', at + 20, mail('moved@example.org')));
    expect(moved.body).to.include({ hostLogin: 'new-name', emailAddress: 'moved@example.org' });
  });

  it('are different if their subjects differ in one byte', async () => {
    const subjects = SUBJECTS.flatMap((subject) => [subject, `host|${subject}`]);
    const ask = async (sub: string) => withToken(await tokenOf('exact', { sub }));
    const first = await Promise.all(subjects.map(ask));
    expect(first.map(({ status }) => status)).to.deep.equal(subjects.map(() => 200));
    const ids = first.map(({ body }) => body.id);
    expect(new Set(ids).size).to.equal(subjects.length);
    const again = await Promise.all(subjects.map(ask));
    expect(again.map(({ body }) => body.id)).to.deep.equal(ids);
    expect((await ask('x\t')).status).to.equal(401);
  });

  it('are rejected while they are disabled, even with an earlier token, and accepted again later', async () => {
    const token = await tokenOf('disabled');
    const id = Number((await withToken(token)).body.id);
    await users.setDisabled(id, true, SYSTEM_TIME);
    for (const path of ['/user/', '/user/subscriptions/']) {
      const { status, body } = await withToken(token, path);
      expect([status, body.code]).to.deep.equal([403, 'account_disabled']);
    }
    const put = { method: 'PUT', body: '{"enable":true}', headers: JSON_TYPE };
    expect((await withToken(token, '/user/email-updates/', put)).status).to.equal(403);
    await users.setDisabled(id, false, SYSTEM_TIME);
    expect((await withToken(token, '/user/email-updates/')).body).to.deep.equal({ emailGetUpdates: false });
  });

  it('do not return after their removal, which deletes all their data', async () => {
    const token = await tokenOf('removed', { email: 'removed@example.org', email_verified: true });
    const id = Number((await withToken(token)).body.id);
    const path = `/repos/${demo.repository}/subscribe/`;
    expect((await withToken(token, path, { method: 'PUT' })).status).to.equal(200);
    await users.remove(id, SYSTEM_TIME, deleteOwnedRows);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => withToken(token)),
      withToken(token, path, { method: 'PUT' }),
      withToken(token, '/user/email-updates/', { method: 'PUT', body: '{"enable":true}', headers: JSON_TYPE }),
    ]);
    for (const { status, body } of answers) expect([status, body.code]).to.deep.equal([404, 'user_not_found']);
    expect(await users.findById(id)).to.equal(undefined);
    expect((await all()).filter(({ login }) => login === 'removed')).to.deep.equal([]);
  });

  it('leave no account id, login, name or e-mail address in the database or its files after their removal', async () => {
    const personal = { sub: 'host|subject-to-forget', name: 'Name To Forget', email: 'to-forget@example.org' };
    const login = 'login-to-forget';
    const others = Array.from({ length: 20 }, (_, index) => `stays-${index}`);
    for (const other of others) await withToken(await tokenOf(other));
    const token = await tokenOf(login, { ...personal, email_verified: true });
    const id = Number((await withToken(token)).body.id);
    await waitForPlayground(demo);
    await users.remove(id, SYSTEM_TIME, deleteOwnedRows);
    const texts = ['subject-to-forget', login, personal.name, personal.email];
    // The copy for the playground is only removed after its process has ended.
    await eventually(async () => (await filesWith(demo.folder, texts)).length === 0);
    const accounts = await readStateRows(demo.database, 'SELECT * FROM sys_accounts WHERE user_id IS NULL');
    expect(JSON.stringify(accounts)).to.not.match(/to-forget/);
    expect(new Set(accounts.map(([provider]) => provider))).to.deep.equal(new Set(['removed account']));
    const stored = accounts.map(([, accountId]) => String(accountId));
    for (const text of ['subject-to-forget', personal.sub, JSON.stringify(['host', 'subject-to-forget'])])
      expect(stored, text).to.not.include(createHash('sha256').update(text).digest('hex'));
    expect((await withToken(token)).status).to.equal(404);
    expect((await all()).filter((user) => others.includes(user.login))).to.have.length(others.length);
    expect((await withToken(await tokenOf('stays-7'))).status).to.equal(200);
  });

  it('stay removed after an earlier version removed them, which stored their account id', async () => {
    const sub = 'host|removed-earlier';
    await demo.state.transaction((tables) =>
      tables.run(
        `INSERT INTO sys_accounts (provider, provider_account_id, user_id, login, avatar_url, profile_at)
         VALUES ('host', 'removed-earlier', NULL, '', '', '2020-01-01 00:00:00')`,
      ),
    );
    await users.hashEarlierRemovals(SYSTEM_TIME);
    const select = "SELECT user_id FROM sys_accounts WHERE provider_account_id = 'removed-earlier'";
    expect(await readStateRows(demo.database, select)).to.deep.equal([]);
    await eventually(async () => (await filesWith(demo.folder, ['removed-earlier'])).length === 0);
    expect(await withToken(await tokenOf('again', { sub }))).to.have.nested.include({
      status: 404,
      'body.code': 'user_not_found',
    });
  });

  it('have their changes listed in order, including those of the same time', async () => {
    await withToken(await tokenOf('changed'));
    const [{ id = 0 } = {}] = await users.findByLogin('changed');
    const at = SYSTEM_TIME;
    const switches = Array.from({ length: 20 }, (_, index) => index % 2 === 0);
    for (const on of switches) await users.setTrusted(id, on, at);
    const listed = (await readNewestAuditEntries(demo.database, switches.length)).map(({ detail }) => detail === 'on');
    expect(listed).to.deep.equal(switches.reverse());
  });

  ownAccount(() => ({ demo, users }));

  // These rules do not depend on the kind of the database.
  if (onServer) return;

  it('keep an e-mail address only if the issuer says that it is verified', async () => {
    const email = 'mine@example.org';
    const kept = async (login: string, verified: unknown) => {
      const token = await tokenOf(login, { email, email_verified: verified });
      return (await withToken(token)).body.emailAddress;
    };
    expect(await kept('verified', true)).to.equal(email);
    for (const [index, verified] of [false, 'false', 'true', 0, 1, null, undefined].entries()) {
      expect(await kept(`unverified-${index}`, verified), String(verified)).to.equal('');
    }
  });

  it('have the id of GitHub only if GitHub is the provider of the account, and only in its own spelling', async () => {
    const ids: readonly (readonly [string, number | null])[] = [
      ['host|583231', 583_231],
      ['github|583231', 583_231],
      ['host|9007199254740991', Number.MAX_SAFE_INTEGER],
      ['host|9007199254740993', null],
      ['host|007', null],
      ['host|0', null],
      ['host|-7', null],
      ['host|7.0', null],
      ['host|7e3', null],
      ['host|\u0667', null],
      ['google-oauth2|583231', null],
      ['GitHub|583231', null],
      ['583231', null],
    ];
    for (const [sub, hostId] of ids) {
      expect((await withToken(await tokenOf('numbered', { sub }))).body.hostId, sub).to.equal(hostId);
    }
  });

  it('are different for the same id at different providers', async () => {
    const [one, two] = [
      await withToken(await tokenOf('same', { sub: 'host|5' })),
      await withToken(await tokenOf('same', { sub: 'other|5' })),
    ];
    expect(one.body.id).to.not.equal(two.body.id);
    expect((await users.findByLogin('SAME')).map(({ provider }) => provider).sort()).to.deep.equal(['host', 'other']);
  });

  it('change nothing if they are removed during their request', async () => {
    const change = userOperations(users).find(({ id }) => id === 'set-email-updates');
    const request = { body: { enable: true }, caller: { id: 987_654_321 } } as unknown as PersonalRequest;
    const changed = Promise.resolve(change?.handle(request));
    expect(await errorOf(changed)).to.include({ code: 'user_not_found', status: 404 });
  });

  it('cannot read or change the data of each other', async () => {
    const [mine, other] = [
      await tokenOf('mine', { email: 'mine@example.org', email_verified: true }),
      await tokenOf('other'),
    ];
    const put = { method: 'PUT', headers: JSON_TYPE };
    await withToken(mine, '/user/email-updates/', { ...put, body: '{"enable":true}' });
    await withToken(mine, `/repos/${demo.repository}/subscribe/`, put);
    const id = Number((await withToken(mine)).body.id);
    expect((await withToken(other, '/user/email-updates/')).body).to.deep.equal({ emailGetUpdates: false });
    expect((await withToken(other, '/user/subscriptions/')).body).to.deep.equal([]);
    await withToken(other, `/repos/${demo.repository}/unsubscribe/`, put);
    expect((await withToken(mine, '/user/subscriptions/')).body).to.have.length(1);
    for (const path of [
      `/user/${id}/`,
      `/user/?id=${id}`,
      `/user/?userId=${id}`,
      `/user/subscriptions/?userId=${id}`,
      `/user/subscriptions/${id}/`,
      `/user/email-updates/?id=${id}`,
    ]) {
      const { status, body } = await withToken(other, path);
      expect(status, path).to.be.oneOf([400, 404]);
      expect(JSON.stringify(body)).to.not.include('mine@example.org');
    }
    const body = `{"enable":true,"userId":${id}}`;
    expect((await withToken(other, '/user/email-updates/', { ...put, body })).status).to.equal(400);
  });

  it('can use trusted operations after an operator trusts them', async () => {
    const rules = { issuer: 'repo-insight', audience: 'repo-insight', clockSkew: 0, keys: { secret: JWT_SECRET } };
    const identify = createIdentify({ users, readToken: createTokenReader(rules) });
    const routes = mount([FOR_TRUSTED], {
      identify,
      clock: () => SYSTEM_TIME,
      authenticate: async () => undefined,
      rateLimits: createRateLimits(readSettings({})),
      bodyLimit: '1kb',
    });
    const server = createServer(
      express().use(
        routes,
        errorAnswers(() => SYSTEM_TIME),
      ),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret/`;
    const headers = { Authorization: `Bearer ${await tokenOf('trusted')}` };
    const ask = async () => {
      const response = await fetch(url, { headers });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    try {
      expect(await ask()).to.deep.equal([403, 'not_trusted']);
      const [{ id = 0 } = {}] = await users.findByLogin('trusted');
      await users.setTrusted(id, true, SYSTEM_TIME);
      expect(await ask()).to.deep.equal([200, undefined]);
      await users.setTrusted(id, false, SYSTEM_TIME);
      expect(await ask()).to.deep.equal([403, 'not_trusted']);
    } finally {
      server.close();
    }
  });
}

/** Returns the files below a folder that contain one of the texts, as `file: text`. */
async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      // The service may remove the file in the meantime.
      const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0));
      return texts.filter((text) => bytes.includes(text)).map((text) => `${name}: ${text}`);
    });
  return (await Promise.all(found)).flat();
}

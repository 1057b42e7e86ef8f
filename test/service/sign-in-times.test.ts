import { expect } from 'chai';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import { FailedSignIns } from '../../accounts/failed-sign-ins.js';
import { Sessions } from '../../accounts/sessions.js';
import { RemovedUserError, type Users } from '../../accounts/users.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { onBothDatabases } from '../services/mysql.js';
import { Browser } from './browser.js';
import { createUsers, type DemoService, SYSTEM_TIME, startDemoService, useSharedDemo } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { startProvider, type TestProvider, USUAL } from './sign-in-provider.js';

const HOUR = 3_600_000;

onBothDatabases('sessions in the tables', sessionsInTables);

function sessionsInTables(database: () => Record<string, string>, isServer: boolean): void {
  let demo: DemoService;
  let sessions: Sessions;
  let users: Users;
  before(async () => {
    demo = await startDemoService({ ...database(), ENDPOINTS_DIR: FEW_ENDPOINTS });
    sessions = new Sessions(demo.database, demo.state);
    users = createUsers(demo.database, demo.state);
  });
  after(() => demo.close());

  const now = new Date('2030-01-01T00:00:00Z');
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR);
  const begin = async (id: string, login: string, hours: number) => {
    const account = { provider: 'host', accountId: login, login, name: '', email: '', avatarUrl: '', profileAt: now };
    const user = await users.signIn(account, now);
    await sessions.add(id, { userId: user.id, data: `{"of":"${id}"}`, expiresAt: at(hours) }, now);
    return user.id;
  };

  const sessionData = (begunAt: number, endsAt: number) =>
    JSON.stringify({ begunAt: at(begunAt).toISOString(), endsAt: at(endsAt).toISOString() });

  it('are found until they expire, and can be prolonged', async () => {
    const userId = await begin('one', 'ada', 1);
    expect(await sessions.find('one', at(0.9))).to.deep.equal({ userId, data: '{"of":"one"}', expiresAt: at(1) });
    expect(await sessions.find('one', at(1))).to.equal(undefined);
    await sessions.extend('one', at(2));
    expect((await sessions.find('one', at(1)))?.expiresAt).to.deep.equal(at(2));
  });

  it('are limited per user: the session that began first is deleted, even if it expires last', async () => {
    const user = await users.signIn(
      { provider: 'host', accountId: 'many', login: 'many', name: '', email: '', avatarUrl: '', profileAt: now },
      now,
    );
    const add = (id: string, begunAt: number) => {
      const data = JSON.stringify({ begunAt: at(begunAt).toISOString() });
      return sessions.add(id, { userId: user.id, data, expiresAt: at(24) }, now);
    };
    const alive = async (ids: readonly string[]) => {
      const found = await Promise.all(ids.map((id) => sessions.find(id, now)));
      return ids.filter((_, index) => found[index] !== undefined);
    };
    const ids = Array.from({ length: 12 }, (_, index) => `many-${index}`);
    for (const [index, id] of ids.slice(0, 10).entries()) await add(id, index);
    await sessions.extend('many-0', at(100));
    await sessions.extend('many-9', at(1));
    expect(await alive(ids)).to.deep.equal(ids.slice(0, 10));
    await add('many-10', 10);
    expect(await alive(ids)).to.deep.equal(ids.slice(1, 11));
    await sessions.add('many-11', { userId: user.id, data: '{}', expiresAt: at(24) }, now);
    expect(await alive(ids)).to.deep.equal(ids.slice(2));
  });

  it('stay ended when they are prolonged after their end', async () => {
    await begin('two', 'ada', 1);
    await sessions.end('two', now);
    await sessions.extend('two', at(2));
    expect(await sessions.find('two', now)).to.equal(undefined);
  });

  it('end when their user is disabled or removed, and do not begin for such a user', async () => {
    for (const end of [
      (id: number) => users.setDisabled(id, true, now),
      (id: number) => users.remove(id, now, deleteOwnedRows),
    ]) {
      const login = `ended-${end.toString().length}`;
      const userId = await begin(login, login, 1);
      await end(userId);
      expect(await sessions.find(login, now)).to.equal(undefined);
      const error = await sessions
        .add('later', { userId, data: '{}', expiresAt: at(1) }, now)
        .catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(RemovedUserError);
    }
  });

  it('are listed without times that earlier versions did not store, and without the last use at the end of their time', async () => {
    const userId = await begin('three', 'bea', 1);
    await sessions.add('four', { userId, data: sessionData(0, 30), expiresAt: at(25) }, now);
    await sessions.add('five', { userId, data: sessionData(6, 30), expiresAt: at(30) }, now);
    const listed = await sessions.list(userId, 'four', now);
    expect(listed.map(({ id: _, ...times }) => times)).to.deep.equal([
      { begunAt: '2030-01-01T06:00:00Z', lastSeenAt: null, expiresAt: '2030-01-02T06:00:00Z', current: false },
      {
        ...{ begunAt: '2030-01-01T00:00:00Z', lastSeenAt: '2030-01-01T01:00:00Z', expiresAt: '2030-01-02T01:00:00Z' },
        current: true,
      },
      { begunAt: null, lastSeenAt: null, expiresAt: '2030-01-01T01:00:00Z', current: false },
    ]);
    expect(await sessions.list(userId, undefined, at(26))).to.have.length(1);
  });

  // This limit does not depend on the kind of the database.
  if (isServer) return;

  it('that do not begin are in the audit log, at most 300 per hour', async () => {
    const failed = new FailedSignIns(demo.state);
    const count = async () =>
      (await readNewestAuditEntries(demo.database, 10_000)).filter(({ actor }) => actor === 'visitor').length;
    for (let index = 0; index < 302; index += 1) await failed.note('sign_in_failed', at(0.5));
    expect(await count()).to.equal(300);
    await failed.note('sign_in_failed', at(1));
    expect(await count()).to.equal(301);
  });
}

describe('a session', () => {
  const PUBLIC_URL = 'http://localhost:3450';
  let provider: TestProvider;
  let service: DemoService;
  let now = SYSTEM_TIME;
  before(async () => {
    provider = await startProvider();
    const settings = { ...provider.environment, PUBLIC_URL, ENDPOINTS_DIR: FEW_ENDPOINTS };
    service = await startDemoService(settings, { systemClock: () => now });
  });
  beforeEach(() => {
    now = SYSTEM_TIME;
  });
  after(async () => {
    await service?.close();
    await provider.shut();
  });
  const later = (ms: number) => new Date(SYSTEM_TIME.getTime() + ms);

  it('is prolonged by requests, up to its maximum duration', async () => {
    const person = new Browser(PUBLIC_URL, service);
    await person.visit('/sign-in/');
    const { value = '', attributes } = person.cookies.get('repo-insight-session') ?? {};
    expect(attributes).to.include('HttpOnly').and.not.include('Secure');
    const [id = ''] = decodeURIComponent(value).slice(2).split('.');
    const sessions = new Sessions(service.database, service.state);
    /** Returns the status of a request at this time, and the expiry of the session after it. */
    const request = async (hours: number) => {
      now = later(hours * HOUR);
      const response = await person.request('/user/');
      // The session is extended before the answer ends.
      await response.text();
      return [response.status, (await sessions.find(id, now))?.expiresAt];
    };
    // To limit writes, the expiry is only stored if it changes by more than a twentieth of a day.
    expect(await request(1)).to.deep.equal([200, later(24 * HOUR)]);
    expect(await request(1.5)).to.deep.equal([200, later(25.5 * HOUR)]);
    for (let hours = 25; hours <= 145; hours += 20) await request(hours);
    expect(await request(160)).to.deep.equal([200, later(168 * HOUR)]);
    expect(await request(168)).to.deep.equal([401, undefined]);
  });

  it('begins only within ten minutes after the start of the sign-in', async () => {
    const statusAfter = async (seconds: number) => {
      const person = new Browser(PUBLIC_URL, service);
      now = SYSTEM_TIME;
      const { back } = await person.begin();
      now = later(seconds * 1_000);
      return (await person.request(back)).status;
    };
    expect([await statusAfter(599), await statusAfter(600)]).to.deep.equal([303, 400]);
  });
});

describe('an identity provider', () => {
  const shared = useSharedDemo();
  let provider: TestProvider;
  let demo: DemoService;
  const settings = () => ({
    ...provider.environment,
    PUBLIC_URL: 'https://insight.example',
    ENDPOINTS_DIR: FEW_ENDPOINTS,
  });
  before(async () => {
    provider = await startProvider();
    await provider.shut();
    demo = await startDemoService(settings());
  });
  after(async () => {
    await demo.close();
    await provider.shut();
  });
  const visit = async () => (await new Browser('https://insight.example', demo).visit('/sign-in/')).status;

  afterEach(() => void Object.assign(provider.next, USUAL));

  it('can be unavailable when the service starts, is tried again, and by default gets the secret in the header', async () => {
    expect(await visit()).to.equal(503);
    provider.next.metadata = { token_endpoint_auth_methods_supported: undefined };
    provider.next.authentication = 'header';
    await provider.open();
    expect(await visit()).to.equal(200);
    expect(await visit()).to.equal(200);
    expect(provider.requests.get('/.well-known/openid-configuration')).to.equal(1);
  });

  it('gets the secret in the header if it supports only this', async () => {
    provider.next.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    provider.next.authentication = 'header';
    const other = await startDemoService(settings());
    try {
      expect((await new Browser('https://insight.example', other).visit('/sign-in/')).status).to.equal(200);
    } finally {
      await other.close();
    }
  });

  it('that describes itself wrongly is reported as unavailable, with the reason in the log, and tried again', async () => {
    const other = await startDemoService(settings());
    const faults: readonly (readonly [string, unknown])[] = [
      ...['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) => [name, undefined] as const),
      ...['nowhere', 'javascript:alert(1)', 7, null].map((value) => ['authorization_endpoint', value] as const),
      ['token_endpoint', { url: 'https://id.example' }],
      ['userinfo_endpoint', 'ftp://id.example'],
      ['token_endpoint_auth_methods_supported', 'client_secret_post'],
    ];
    try {
      for (const [name, value] of faults) {
        provider.next.metadata = { [name]: value };
        const before = other.log.length;
        const response = await other.get('/sign-in/', { redirect: 'manual' });
        const { status, code, detail } = (await response.json()) as Record<string, unknown>;
        expect({ status, code, detail }, name).to.deep.equal({
          status: 503,
          code: 'identity_unavailable',
          detail: 'The sign-in provider describes itself wrongly. The log contains the reason.',
        });
        expect(JSON.stringify(other.log.slice(before))).to.match(new RegExp(`discovery document.* as ${name}`));
      }
      // Of several methods, the service uses the one that it knows.
      provider.next.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'] };
      provider.next.authentication = 'header';
      expect((await new Browser('https://insight.example', other).visit('/sign-in/')).status).to.equal(200);
    } finally {
      await other.close();
    }
  });

  it('gets no request, and no table is read, for requests that need no session', async () => {
    const before = new Map(provider.requests);
    const headers = { Cookie: '__Host-repo-insight-session=s%3Aabc.def' };
    expect((await demo.get('/v1/collections/', { headers })).status).to.equal(200);
    expect((await demo.get('/v1/collections/', { headers })).headers.getSetCookie()).to.deep.equal([]);
    expect(provider.requests).to.deep.equal(before);
  });

  it('that is not configured makes the sign-in paths unknown', async () => {
    const plain = shared.demo;
    for (const path of ['/sign-in/', '/sign-in/callback/?code=1&state=2']) {
      expect((await plain.get(path)).status).to.equal(404);
    }
    expect((await plain.get('/sign-out/', { method: 'POST' })).status).to.equal(404);
    const headers = { Cookie: 'repo-insight-session=s%3Aabc.def' };
    expect((await plain.get('/user/', { headers })).status).to.equal(401);
  });
});

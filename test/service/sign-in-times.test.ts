import { expect } from 'chai';
import { Sessions } from '../../accounts/sessions.js';
import { RemovedUserError, Users } from '../../accounts/users.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { onBothDatabases } from '../services/mysql.js';
import { Browser } from './browser.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { startProvider, type TestProvider } from './sign-in-provider.js';

const HOUR = 3_600_000;

onBothDatabases('sessions in the tables', sessionsInTables);

function sessionsInTables(database: () => Record<string, string>): void {
  let demo: DemoService;
  let sessions: Sessions;
  let users: Users;
  before(async () => {
    demo = await startDemoService(database(), 1_000);
    sessions = new Sessions(demo.database, demo.state);
    users = new Users(demo.database, demo.state);
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
    await sessions.end('two');
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

  it('are prolonged periodically by requests, up to their maximum duration', async () => {
    const provider = await startProvider();
    const settings = {
      ...provider.environment,
      PUBLIC_URL: 'http://insight.example',
    };
    const service = await startDemoService(settings, 1_000);
    try {
      const person = new Browser('http://insight.example', service);
      await person.visit('/sign-in/');
      const cookie = person.cookies.get('repo-insight-session');
      expect(cookie?.attributes).to.include('HttpOnly').and.not.include('Secure');
      const id =
        decodeURIComponent(cookie?.value ?? '')
          .slice(2)
          .split('.')[0] ?? '';
      const kept = new Sessions(service.database, service.state);
      const soon = new Date(Math.floor(Date.now() / 1000) * 1000 + HOUR);
      await kept.extend(id, soon);
      // The session is prolonged before the answer ends, so this function reads the whole answer.
      const ask = async () => (await person.request('/user/')).text();
      expect(await ask()).to.include('hostLogin');
      const { expiresAt, data = '' } = (await kept.find(id, new Date())) ?? {};
      expect(expiresAt?.getTime()).to.be.within(Date.now() + 23 * HOUR, Date.now() + 24 * HOUR);
      const { endsAt } = JSON.parse(data) as { endsAt: string };
      expect(Date.parse(endsAt)).to.be.within(Date.now() + 167 * HOUR, Date.now() + 168 * HOUR);
      await ask();
      expect((await kept.find(id, new Date()))?.expiresAt).to.deep.equal(expiresAt);
      await kept.extend(id, new Date(Date.now() - HOUR));
      expect((await person.request('/user/')).status).to.equal(401);
    } finally {
      await service.close();
      await provider.shut();
    }
  });
}

describe('an identity provider', () => {
  let provider: TestProvider;
  let demo: DemoService;
  const settings = () => ({
    ...provider.environment,
    PUBLIC_URL: 'https://insight.example',
  });
  before(async () => {
    provider = await startProvider();
    await provider.shut();
    demo = await startDemoService(settings(), 1_000);
  });
  after(async () => {
    await demo.close();
    await provider.shut();
  });
  const visit = async () => (await new Browser('https://insight.example', demo).visit('/sign-in/')).status;

  it('can be unavailable when the service starts, and is tried again', async () => {
    expect(await visit()).to.equal(503);
    await provider.open();
    expect(await visit()).to.equal(200);
    expect(await visit()).to.equal(200);
    expect(provider.requests.get('/.well-known/openid-configuration')).to.equal(1);
  });

  it('gets no request, and no table is read, for requests that need no session', async () => {
    const before = new Map(provider.requests);
    const headers = { Cookie: '__Host-repo-insight-session=s%3Aabc.def' };
    expect((await demo.get('/v1/collections/', { headers })).status).to.equal(200);
    expect((await demo.get('/v1/collections/', { headers })).headers.getSetCookie()).to.deep.equal([]);
    expect(provider.requests).to.deep.equal(before);
  });

  it('that is not configured makes the sign-in paths unknown', async () => {
    const plain = await startDemoService({}, 1_000);
    try {
      for (const path of ['/sign-in/', '/sign-in/callback/?code=1&state=2']) {
        expect((await plain.get(path)).status).to.equal(404);
      }
      expect((await plain.get('/sign-out/', { method: 'POST' })).status).to.equal(404);
      const headers = { Cookie: 'repo-insight-session=s%3Aabc.def' };
      expect((await plain.get('/user/', { headers })).status).to.equal(401);
    } finally {
      await plain.close();
    }
  });
});

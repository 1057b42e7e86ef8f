import { expect } from 'chai';
import { readAuditEntriesOf, readNewestAuditEntries, type StoredAuditEntry } from '../../accounts/audit-log.js';
import type { ListedSession } from '../../accounts/sessions.js';
import type { Browser } from './browser.js';
import type { SignInService } from './sign-in-service.js';

interface People {
  readonly browser: () => Browser;
  readonly signedIn: (login: string) => Promise<Browser>;
}

const DAY_MS = 86_400_000;
const DELETE = { method: 'DELETE' };
const ABORT = new AbortController();

/** Defines the tests of the operations with which users manage their own sessions. `cookie` is the name of the session cookie. */
export function ownSessions(service: SignInService, { browser, signedIn }: People, cookie: string): void {
  const list = async (person: Pick<Browser, 'request'>) =>
    (await (await person.request('/user/sessions/')).json()) as ListedSession[];
  const own = async (person: Browser) => (await list(person)).find(({ current }) => current)?.id ?? '';
  const end = async (person: Pick<Browser, 'request'>, id: string, headers: Record<string, string> = {}) =>
    answerOf(await person.request(`/user/sessions/${id}`, { ...DELETE, headers }));
  const statusOf = async (person: Browser) => (await person.request('/user/')).status;
  const entriesOf = async (login: string) => {
    const { id } = (await (await service.demo.as(login, '/user/')).json()) as { id: number };
    const entries: StoredAuditEntry[] = [];
    for await (const entry of readAuditEntriesOf(service.demo.database, id, ABORT.signal)) entries.push(entry);
    return entries.map(({ actor, action, subject, detail }) =>
      [actor, action, subject, detail].join(' ').replaceAll(`user ${id}`, 'the user').trim(),
    );
  };

  it('lists the sessions of the user with their times, newest first', async () => {
    const [first, second] = [await signedIn('lister'), await signedIn('lister')];
    await signedIn('another-lister');
    const listed = await list(first);
    const [{ id: newest, begunAt: secondAt } = NONE, { id: oldest, begunAt: firstAt } = NONE] = listed;
    const times = (begunAt: string | null) => ({
      begunAt,
      lastSeenAt: begunAt,
      expiresAt: new Date(Date.parse(begunAt ?? '') + DAY_MS).toISOString().replace('.000', ''),
    });
    expect(listed).to.deep.equal([
      { id: newest, ...times(secondAt), current: false },
      { id: oldest, ...times(firstAt), current: true },
    ]);
    expect(newest)
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(oldest);
    const byToken = { request: (path: string) => service.demo.as('lister', path) };
    expect(await list(byToken)).to.deep.equal(listed.map((one) => ({ ...one, current: false })));
    expect((await list(second)).map(({ id, current }) => [id, current])).to.deep.equal([
      [newest, true],
      [oldest, false],
    ]);
    // The id cannot be used as a credential.
    for (const { value } of first.cookies.values()) expect(JSON.stringify(listed)).to.not.include(value);
    expect(await answerOf(await browser().request('/user/sessions/'))).to.include({ status: 401 });
  });

  it('ends one session, and removes the cookie if it is the session of the request', async () => {
    const [here, there] = [await signedIn('ender'), await signedIn('ender')];
    const [hereId, thereId] = [await own(here), await own(there)];
    expect(await end(here, thereId)).to.deep.equal({ status: 204, code: undefined, cookies: 0 });
    expect([await statusOf(here), await statusOf(there)]).to.deep.equal([200, 401]);
    expect(await end(here, `${thereId}/`)).to.include({ status: 404, code: 'session_not_found' });
    const kept = new Map(here.cookies);
    expect(await end(here, hereId)).to.deep.equal({ status: 204, code: undefined, cookies: 1 });
    expect([...here.cookies.keys()]).to.deep.equal([]);
    for (const [name, value] of kept) here.cookies.set(name, value);
    expect(await statusOf(here)).to.equal(401);
    expect(await entriesOf('ender')).to.deep.equal([
      'the user sign-up the user',
      `the user sign-in session ${hereId}`,
      `the user sign-in session ${thereId}`,
      `the user end-session session ${thereId}`,
      `the user end-session session ${hereId}`,
    ]);
  });

  it('ends a session with a token, which needs no page of the service', async () => {
    const person = await signedIn('by-token');
    const byToken = { request: (path: string, init?: RequestInit) => service.demo.as('by-token', path, init) };
    expect(await end(byToken, await own(person))).to.deep.equal({ status: 204, code: undefined, cookies: 0 });
    expect(await statusOf(person)).to.equal(401);
  });

  it('does not end a session of another user, with an invalid id, or for another site', async () => {
    const [person, other] = [await signedIn('ending'), await signedIn('not-ending')];
    const [id, otherId] = [await own(person), await own(other)];
    expect(await end(person, otherId)).to.include({ status: 404, code: 'session_not_found' });
    for (const wrong of [
      '1',
      id.slice(1),
      `${id}0`,
      id.toUpperCase().replace(/^\d*$/, 'A'),
      '%25',
      "'",
      '____________',
    ])
      expect(await end(person, wrong), wrong).to.include({ status: 400, code: 'bad_parameter' });
    expect(await end(person, `${id}?x=1`)).to.include({ status: 400, code: 'bad_parameter' });
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    for (const path of [id, ''])
      expect(await end(person, path, foreign), path).to.include({ status: 403, code: 'cross_site_request' });
    const body = { method: 'DELETE', body: '{"login":"ending"}', headers: { ...JSON_TYPE, ...foreign } };
    expect(await answerOf(await person.request('/user/', body))).to.include({ status: 403 });
    expect([await statusOf(person), await statusOf(other)]).to.deep.equal([200, 200]);
    const visitor = browser();
    for (const path of [id, '']) expect(await end(visitor, path), path).to.include({ status: 401 });
  });

  it('ends all sessions of the user, also at the same time, and no other session', async () => {
    const [here, there, other] = [await signedIn('leaving'), await signedIn('leaving'), await signedIn('staying')];
    const [hereId, thereId] = [await own(here), await own(there)];
    const byToken = () => service.demo.as('leaving', '/user/sessions/', DELETE);
    const answers = await Promise.all([here.request('/user/sessions/', DELETE), byToken(), byToken()]);
    // The first request can find that its session has ended in the meantime.
    expect(answers.map(({ status }) => status)).to.satisfy(([first, ...others]: number[]) => {
      return (first === 204 || first === 401) && others.every((status) => status === 204);
    });
    expect([await statusOf(here), await statusOf(there), await statusOf(other)]).to.deep.equal([401, 401, 200]);
    expect(await entriesOf('leaving')).to.deep.equal([
      'the user sign-up the user',
      `the user sign-in session ${hereId}`,
      `the user sign-in session ${thereId}`,
      'the user end-sessions the user 2',
    ]);
    const again = await signedIn('leaving');
    expect(await answerOf(await again.request('/user/sessions/', DELETE))).to.deep.equal({
      status: 204,
      code: undefined,
      cookies: 1,
    });
    expect([...again.cookies.keys()]).to.deep.equal([]);
    // Without sessions, there is nothing to end and nothing to log.
    expect((await byToken()).status).to.equal(204);
    expect(await entriesOf('leaving')).to.have.length(6);
  });

  it('logs a sign-out, and a failed sign-in without the person', async () => {
    const person = await signedIn('logged');
    const id = await own(person);
    await person.request('/sign-out/', { method: 'POST' });
    expect((await entriesOf('logged')).at(-1)).to.equal(`the user sign-out session ${id}`);
    service.provider.next.wrongWay = { code: null, error: 'access_denied' };
    expect((await browser().visit('/sign-in/')).status).to.equal(400);
    const [{ at: _, ...failed } = { at: '' }] = await readNewestAuditEntries(service.demo.database, 1);
    expect(failed).to.deep.equal({
      actor: 'visitor',
      action: 'sign-in-failed',
      subject: 'sign-in',
      detail: 'sign_in_failed',
    });
    // A callback that belongs to no sign-in of this browser is not logged, because any request can cause it.
    const { length } = await readNewestAuditEntries(service.demo.database, 10_000);
    expect((await browser().request('/sign-in/callback/?state=x&code=y')).status).to.equal(400);
    expect(await readNewestAuditEntries(service.demo.database, 10_000)).to.have.length(length);
  });

  it('ends with the removal of the account by its user, which cannot sign in again', async () => {
    const [here, there] = [await signedIn('leaving-for-good'), await signedIn('leaving-for-good')];
    const { id } = (await (await here.request('/user/')).json()) as { id: number };
    const kept = here.cookies.get(cookie);
    const init = { ...DELETE, headers: JSON_TYPE, body: '{"login":"leaving-for-good"}' };
    expect(await answerOf(await here.request('/user/', init))).to.deep.equal({
      status: 204,
      code: undefined,
      cookies: 1,
    });
    expect([...here.cookies.keys()]).to.deep.equal([]);
    if (kept !== undefined) here.cookies.set(cookie, kept);
    expect([await statusOf(here), await statusOf(there)]).to.deep.equal([401, 401]);
    const byToken = await service.demo.as('leaving-for-good', '/user/');
    expect(await failureOf(byToken)).to.deep.equal([404, 'user_not_found', 'This user was removed.']);
    const failed = await (await signedIn('leaving-for-good')).visit('/sign-in/');
    expect(await failureOf(failed)).to.deep.equal([404, 'user_not_found', 'This user was removed.']);
    const [newest, ...others] = await readNewestAuditEntries(service.demo.database, 100);
    expect(newest).to.include({ actor: 'visitor', action: 'sign-in-failed', detail: 'user_not_found' });
    const removed = others.filter(({ subject, action }) => subject === `user ${id}` && action === 'remove');
    expect(removed.map(({ actor }) => actor)).to.deep.equal([`user ${id}`]);
  });
}

const NONE = { id: '', begunAt: '' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The status, the error code if the answer has one, and the number of cookies that the answer sets or removes. */
async function answerOf(response: Response) {
  const text = await response.text();
  const { code } = text === '' ? {} : (JSON.parse(text) as { readonly code?: string });
  return { status: response.status, code, cookies: response.headers.getSetCookie().length };
}

async function failureOf(response: Response) {
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return [response.status, code, detail];
}

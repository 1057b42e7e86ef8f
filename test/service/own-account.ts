import { expect } from 'chai';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import { Digests } from '../../accounts/digests.js';
import { UserKeys } from '../../accounts/keys/user-keys.js';
import { Sessions } from '../../accounts/sessions.js';
import { Subscriptions } from '../../accounts/subscriptions.js';
import { UserRoles } from '../../accounts/user-roles.js';
import type { Users } from '../../accounts/users.js';
import { type ExportParts, exportOperation, writeExport } from '../../app-routes/account/export.js';
import type { PersonalRequest } from '../../engine/http/operations/operation.js';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { errorOf } from '../databases/failures.js';
import { insertRows, NOON, seedQuestion } from '../explorer/social/explorer-app.js';
import { eventually } from '../services/eventually.js';
import { type DemoService, SYSTEM_TIME } from './demo-service.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TIME = '2026-06-30T12:00:00Z';

/** Defines the tests of the operations with which users export and remove their own account. */
export function ownAccount(of: () => { readonly demo: DemoService; readonly users: Users }): void {
  const as = (login: string, path: string, init?: RequestInit) => of().demo.as(login, path, init);
  const idOf = async (login: string) => ((await (await as(login, '/user/')).json()) as { id: number }).id;
  const remove = async (login: string, body: unknown) => {
    const init = { method: 'DELETE', headers: JSON_TYPE, body: JSON.stringify(body) };
    const response = await as(login, '/user/', init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };
  const partsOf = ({ demo: { database, state }, users } = of()): ExportParts => ({
    ...{ database, users, browserSessions: undefined },
    subscriptions: new Subscriptions(database, state),
    digests: new Digests(database, state),
    userKeys: new UserKeys(database, state),
    userRoles: new UserRoles(database, state),
    sessions: new Sessions(database, state),
  });
  const requestOf = async (login: string) => {
    const caller = await of().users.findById(await idOf(login));
    return { caller, now: SYSTEM_TIME, http: {}, signal: new AbortController().signal } as unknown as PersonalRequest;
  };

  it('get everything that the service stores about them, and nothing about others', async () => {
    const { demo, users } = of();
    const [login, other] = ['exported', 'not-exported'];
    const [id, otherId] = [await idOf(login), await idOf(other)];
    const repository = `/repos/${demo.repository}`;
    for (const path of ['subscribe', 'unsubscribe']) await as(login, `${repository}/${path}/`, { method: 'PUT' });
    await as(login, '/user/digest/', { method: 'PUT', headers: JSON_TYPE, body: '{"enable":true}' });
    await as(other, `${repository}/subscribe/`, { method: 'PUT' });
    await users.setTrusted(id, true, SYSTEM_TIME);
    await new UserRoles(demo.database, demo.state).change(id, { add: ['reader'], remove: [] }, SYSTEM_TIME);
    const [question, foreign] = [
      await seedQuestion(demo.state, { userId: id, title: 'Own? 😀' }),
      await seedQuestion(demo.state, { userId: otherId, title: 'Foreign?' }),
    ];
    const feedback = {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"satisfied":false,"feedbackContent":"No \\"rows\\""}',
    };
    for (const one of [question, foreign]) await as(other, `/explorer/questions/${one}/feedback/`, feedback);
    await as(login, `/explorer/questions/${foreign}/feedback/`, feedback);
    await insertRows(demo.state, 'explorer_sql_quotas', [[id, '2026-06-30', 3]]);
    const sessions = new Sessions(demo.database, demo.state);
    const times = { begunAt: '2026-06-30T12:00:00.000Z', endsAt: '2026-07-07T12:00:00.000Z' };
    const expiresAt = new Date('2026-07-01T14:00:00Z');
    await sessions.add('session-1', { userId: id, data: JSON.stringify(times), expiresAt }, SYSTEM_TIME);
    await sessions.add('session-2', { userId: otherId, data: JSON.stringify(times), expiresAt }, SYSTEM_TIME);
    const [session] = await sessions.list(id, undefined, SYSTEM_TIME);
    const keys = new UserKeys(demo.database, demo.state);
    const { secret: _3, ...key } = await keys.create(id, 'nightly', 30, SYSTEM_TIME);
    await keys.create(otherId, 'foreign', 30, SYSTEM_TIME);

    const response = await as(login, '/user/export/');
    expect(response.headers.get('content-disposition')).to.equal(`attachment; filename="repo-insight-user-${id}.json"`);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const { subscriptions, questions, ...rest } = (await response.json()) as Record<string, object[]>;
    const [subscription, ...ended] = (await (await as(other, '/user/subscriptions/')).json()) as object[];
    expect([subscriptions, ended]).to.deep.equal([[{ ...subscription, userId: id, subscribed: 0 }], []]);
    const stored = (await (await demo.get(`/explorer/questions/${question}/`)).json()) as Record<string, unknown>;
    const { engine: _, queuePreceding: _1, result, ...record } = stored;
    const { stale: _2, ...rows } = result as Record<string, unknown>;
    expect(questions).to.deep.equal([{ ...record, result: rows }]);
    const own = (action: string, subject: string, detail = '') => ({
      at: TIME,
      actor: `user ${id}`,
      action,
      subject,
      detail,
    });
    const { repoId } = subscription as { repoId: number };
    expect(rest).to.deep.equal({
      exportedAt: SYSTEM_TIME.toISOString(),
      user: {
        ...((await (await as(login, '/user/')).json()) as object),
        ...{ provider: 'host', accountId: login, trusted: true, roles: ['trusted', 'reader'], profileAt: TIME },
      },
      digest: { timeZone: 'UTC', nextAt: '2026-07-06T08:00:00Z', sentAt: null, undeliverableSince: null },
      feedback: [{ questionId: foreign, userId: id, satisfied: false, feedbackContent: 'No "rows"', createdAt: TIME }],
      sqlQuotas: [{ day: '2026-06-30', used: 3 }],
      sessions: [
        {
          ...{ id: session?.id, begunAt: TIME, lastSeenAt: '2026-06-30T14:00:00Z' },
          ...{ expiresAt: '2026-07-01T14:00:00Z', current: false },
        },
      ],
      keys: [key],
      auditLog: [
        own('sign-up', `user ${id}`),
        own('subscribe', `repository ${repoId}`),
        own('unsubscribe', `repository ${repoId}`),
        own('email-updates', `user ${id}`, 'on'),
        own('give-feedback', `question ${foreign}`, 'unsatisfied'),
        own('sign-in', `session ${session?.id}`),
        own('create-key', `key ${key.id}`),
        { at: TIME, actor: 'operator', action: 'trust', subject: `user ${id}`, detail: 'on' },
        { at: TIME, actor: 'operator', action: 'add-role', subject: `user ${id}`, detail: 'reader' },
      ],
    });
    expect((await demo.get('/user/export/')).status).to.equal(401);
    const head = await as(login, '/user/export/', { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
  });

  it('get all rows, also if there are more than one batch of them', async () => {
    const { demo } = of();
    const id = await idOf('much');
    const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);
    const ids: string[] = [];
    // Many questions have the same time, so that batches end between them.
    for (let index = 0; index < 45; index += 1)
      ids.push(await seedQuestion(demo.state, { userId: id, createdAt: at(Math.floor(index / 30)) }));
    const numbers = Array.from({ length: 1_001 }, (_, index) => index);
    const user = `user ${id}`;
    const idOfEntry = (index: number) => `${id}-${String(index).padStart(5, '0')}`;
    const entries = numbers.map((n) => [idOfEntry(n), '2026-01-01 00:00:00', user, 'ask', `question ${n}`, '']);
    await insertRows(demo.state, 'sys_audit_log', entries);
    await insertRows(
      demo.state,
      'sys_subscribed_repos',
      numbers.map((n) => [id, n, 1, '2026-01-01 00:00:00']),
    );
    const exported = (await (await as('much', '/user/export/')).json()) as {
      readonly questions: readonly { readonly id: string }[];
      readonly auditLog: readonly { readonly action: string; readonly subject: string }[];
      readonly subscriptions: readonly { readonly repoId: number }[];
    };
    const questions = exported.questions.map((question) => question.id);
    expect([...questions].sort()).to.deep.equal([...ids].sort());
    expect([...questions.slice(0, 30)].sort()).to.deep.equal(ids.slice(0, 30).sort());
    const asked = exported.auditLog.filter(({ action }) => action === 'ask').map(({ subject }) => subject);
    expect(asked).to.deep.equal(numbers.map((n) => `question ${n}`));
    expect(exported.subscriptions.map(({ repoId }) => repoId)).to.deep.equal(numbers);
    // A client that disconnects does not prevent a later export.
    const client = new AbortController();
    await as('much', '/user/export/', { signal: client.signal });
    client.abort();
    await eventually(async () => (await as('much', '/user/export/')).status === 200);
  });

  it('never get a complete export of a user who is removed in the meantime', async () => {
    const request = await requestOf('exported-and-removed');
    const export_ = writeExport(partsOf(), {}, request, request.signal);
    expect(await export_.next()).to.deep.equal({
      value: `{"exportedAt":"${SYSTEM_TIME.toISOString()}","user":{}`,
      done: false,
    });
    await of().users.remove(request.caller.id, SYSTEM_TIME, deleteOwnedRows);
    const rest = async () => {
      for await (const part of export_) expect(part).to.not.include('}\n');
    };
    expect(await errorOf(rest())).to.include({ code: 'user_not_found', status: 404 });
    // Over HTTP, the export is either complete, or it fails visibly.
    const login = 'exported-while-removed';
    const id = await idOf(login);
    await seedQuestion(of().demo.state, { userId: id });
    const exportOnce = async () => {
      // The answer is not compared with its description, because it may be incomplete.
      const response = await as(login, '/user/export/', { signal: request.signal });
      return response.status === 200 ? ((await response.json()) as object) : response.status;
    };
    const [outcome, removed] = await Promise.all([exportOnce().catch(() => 'incomplete'), remove(login, { login })]);
    expect(removed).to.deep.equal({ status: 204, body: {} });
    if (typeof outcome === 'object') expect(outcome).to.include.keys('user', 'questions', 'auditLog');
    else expect(outcome).to.be.oneOf([404, 'incomplete']);
  });

  it('have at most one export at a time', async () => {
    const { handle } = exportOperation(partsOf());
    const [one, other] = [await requestOf('exports-often'), await requestOf('exports-too')];
    await handle(one);
    expect(await errorOf(Promise.resolve(handle(one)))).to.include({ code: 'rate_limited', status: 429 });
    await handle(other);
    const unknown = { ...one, caller: { ...one.caller, id: 987_654_321 } };
    for (let count = 0; count < 2; count += 1)
      expect(await errorOf(Promise.resolve(handle(unknown)))).to.include({ code: 'user_not_found' });
  });

  it('can remove their account only with their own login', async () => {
    const login = 'leaver-é';
    const id = await idOf(login);
    const fault = (expected: string, got: string) => {
      const message = `login must be ${expected}, got ${got}`;
      return [{ pointer: '/login', expected, got, message }];
    };
    const yours = 'your login "leaver-é"';
    const wrong: readonly (readonly [unknown, unknown])[] = [
      [{ login: 'leaver' }, fault(yours, '"leaver"')],
      [{ login: 'LEAVER-É' }, fault(yours, '"LEAVER-É"')],
      [{ login: ` ${login}` }, fault(yours, '" leaver-é"')],
      [{ login: '' }, fault(yours, '""')],
      [{}, fault('given', 'nothing')],
    ];
    for (const [body, errors] of wrong) {
      const answer = await remove(login, body);
      expect([answer.status, answer.body.code, answer.body.errors]).to.deep.equal([400, 'bad_body', errors]);
    }
    for (const body of [{ login: 1 }, { login: [login] }, { login, id: 1 }, login, null])
      expect((await remove(login, body)).body.code, JSON.stringify(body)).to.equal('bad_body');
    expect((await as(login, '/user/', { method: 'DELETE' })).status).to.equal(400);
    expect(await idOf(login)).to.equal(id);
    expect((await remove(login, { login: 'leaver-e\u0301' })).status).to.equal(204);
    expect((await remove(login, { login })).body).to.include({ status: 404, code: 'user_not_found' });
  });

  it('are removed once, if they ask several times at the same time', async () => {
    const { demo, users } = of();
    const login = 'removed-twice';
    const id = await idOf(login);
    await seedQuestion(demo.state, { userId: id });
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(login, { login })));
    const [first, ...others] = answers.map(({ status, body }) => `${status} ${body.code}`).sort();
    expect([first, new Set(others)]).to.deep.equal(['204 undefined', new Set(['404 user_not_found'])]);
    expect(await users.findById(id)).to.equal(undefined);
    const entries = await readNewestAuditEntries(demo.database, 10_000);
    expect(entries.filter(({ action, subject }) => action === 'remove' && subject === `user ${id}`)).to.deep.equal([
      { at: TIME, actor: `user ${id}`, action: 'remove', subject: `user ${id}`, detail: '' },
    ]);
    for (const path of ['/user/', '/user/export/', '/user/sessions/', '/user/subscriptions/']) {
      const answer = await as(login, path);
      expect([answer.status, ((await answer.json()) as { code: string }).code], path).to.deep.equal([
        ...[404, 'user_not_found'],
      ]);
    }
  });
}

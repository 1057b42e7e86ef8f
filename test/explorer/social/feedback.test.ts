import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { feedbackOperations } from '../../../app-routes/explorer/feedback.js';
import { QuestionFeedback } from '../../../explorer/questions/feedback.js';
import { onBothDatabases } from '../../services/mysql.js';
import {
  cellsOf,
  changesOf,
  clearExplorer,
  type ExplorerApp,
  insertRows,
  seedQuestion,
  startExplorerApp,
} from './explorer-app.js';

const EVERY_ROW = 'SELECT question_id, user_id, satisfied, content FROM explorer_feedback ORDER BY user_id';

onBothDatabases('the feedback about answers', (environment) => {
  let app: ExplorerApp;
  let [ada, bob, trusted]: [number, number, number] = [0, 0, 0];
  let id: string;
  before(async () => {
    app = await startExplorerApp(environment(), (database, state) =>
      feedbackOperations(new QuestionFeedback(database, state)),
    );
    [ada, bob, trusted] = [
      (await app.user('ada')).id,
      (await app.user('bob')).id,
      (await app.user('trusted', true)).id,
    ];
  });
  after(() => app.close());
  beforeEach(async () => {
    await clearExplorer(app);
    id = await seedQuestion(app.state, { userId: ada });
  });

  const pathOf = (question: string) => `/explorer/questions/${question}/feedback/`;
  const give = (login: string, satisfied: boolean, feedbackContent?: string) =>
    app.ask(login, 'POST', pathOf(id), { satisfied, ...(feedbackContent !== undefined && { feedbackContent }) });
  const withdraw = (login: string, satisfied: unknown) =>
    app.ask(login, 'DELETE', `${pathOf(id)}?satisfied=${satisfied}`);
  const read = async (login: string) => (await app.ask(login, 'GET', pathOf(id))).body;
  const written = (userId: number, satisfied: boolean, feedbackContent: string) => ({
    questionId: id,
    userId,
    satisfied,
    feedbackContent,
    createdAt: '2026-06-30T12:00:00Z',
  });

  it('is one per user; later feedback replaces earlier feedback', async () => {
    expect((await give('ada', true, 'good')).body).to.deep.equal(written(ada, true, 'good'));
    expect((await give('ada', false)).body).to.deep.equal(written(ada, false, ''));
    expect((await give('bob', true, '2020-01-01')).body).to.deep.equal(written(bob, true, '2020-01-01'));
    expect(await cellsOf(app.state, EVERY_ROW)).to.deep.equal([
      [id, String(ada), '0', ''],
      [id, String(bob), '1', '2020-01-01'],
    ]);
    expect(await changesOf(app.state)).to.deep.equal([
      [`user ${ada}`, 'give-feedback', `question ${id}`, 'satisfied'],
      [`user ${ada}`, 'give-feedback', `question ${id}`, 'unsatisfied'],
      [`user ${bob}`, 'give-feedback', `question ${id}`, 'satisfied'],
    ]);
  });

  it('is counted for everyone, but its text is only shown to its author and to trusted users', async () => {
    expect(await read('ada')).to.deep.equal({ satisfied: 0, unsatisfied: 0, own: null, others: [] });
    await give('ada', true, 'of ada');
    await give('bob', false, 'of bob');
    expect(await read('ada')).to.deep.equal({
      satisfied: 1,
      unsatisfied: 1,
      own: written(ada, true, 'of ada'),
      others: [],
    });
    expect(await read('trusted')).to.deep.equal({
      satisfied: 1,
      unsatisfied: 1,
      own: null,
      others: [written(ada, true, 'of ada'), written(bob, false, 'of bob')],
    });
    await give('trusted', true);
    expect(await read('trusted')).to.deep.equal({
      satisfied: 2,
      unsatisfied: 1,
      own: written(trusted, true, ''),
      others: [written(ada, true, 'of ada'), written(bob, false, 'of bob')],
    });
  });

  it('is listed up to 100 texts, and the counts contain all', async () => {
    await insertRows(
      app.state,
      'explorer_feedback (question_id, user_id, satisfied, content, created_at)',
      Array.from({ length: 150 }, (_, index) => [id, 1_001 + index, 1, 'text', '2026-01-01 00:00:00']),
    );
    const { others, ...counts } = (await read('trusted')) as { others: { userId: number }[] };
    expect(counts).to.deep.equal({ satisfied: 150, unsatisfied: 0, own: null });
    expect(others.map(({ userId }) => userId)).to.deep.equal(Array.from({ length: 100 }, (_, index) => 1_001 + index));
  });

  it('is withdrawn only with its own value, and a repeated request changes nothing', async () => {
    await give('ada', true, 'mine');
    await give('bob', true, 'other');
    expect((await withdraw('ada', false)).body).to.deep.equal({ withdrawn: false });
    expect((await withdraw('ada', true)).body).to.deep.equal({ withdrawn: true });
    expect((await withdraw('ada', true)).body).to.deep.equal({ withdrawn: false });
    expect(await cellsOf(app.state, EVERY_ROW)).to.deep.equal([[id, String(bob), '1', 'other']]);
    expect((await changesOf(app.state)).at(-1)).to.deep.equal([
      `user ${ada}`,
      'withdraw-feedback',
      `question ${id}`,
      'satisfied',
    ]);
  });

  it('can be given and withdrawn many times while it is read', async () => {
    for (let round = 0; round < 3; round += 1) {
      const reads = Array.from({ length: 5 }, () => read('bob'));
      expect((await give('ada', true, `round ${round}`)).status).to.equal(200);
      expect((await withdraw('ada', true)).body).to.deep.equal({ withdrawn: true });
      await Promise.all(reads);
    }
    expect(await cellsOf(app.state, EVERY_ROW)).to.deep.equal([]);
  });

  it('is stored once by concurrent requests', async () => {
    const given = Array.from({ length: 16 }, (_, index) => give(index % 2 ? 'ada' : 'bob', true, `text ${index}`));
    expect(new Set((await Promise.all(given)).map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect((await cellsOf(app.state, EVERY_ROW)).map(([, user]) => user)).to.deep.equal([String(ada), String(bob)]);
  });

  it('has at most 200 characters, and keeps every character', async () => {
    for (const text of ['a'.repeat(200), '😀'.repeat(200), 'e\u0301 \u202e \t\n', "'; DROP TABLE x; --", '\\', '  ']) {
      expect((await give('ada', true, text)).body).to.deep.equal(written(ada, true, text));
      expect(await read('ada')).to.deep.include({ own: written(ada, true, text) });
    }
    for (const text of ['a'.repeat(201), '😀'.repeat(201), 'nul \0 byte']) {
      expect((await give('ada', true, text)).body).to.include({ code: 'bad_body', status: 400 });
    }
    for (const body of [
      '{"satisfied":true,"feedbackContent":"\\ud800"}',
      '{"satisfied":"true"}',
      '{"satisfied":1}',
      '{"feedbackContent":"no value"}',
      '{"satisfied":true,"feedbackContent":null}',
      '{"satisfied":true,"userId":1}',
      '[]',
    ]) {
      expect((await app.askRaw('ada', 'POST', pathOf(id), body)).body, body).to.include({ code: 'bad_body' });
    }
    expect(await read('ada')).to.deep.include({ own: written(ada, true, '  ') });
  });

  it('needs a user, a known question and a valid value', async () => {
    const calls: (readonly [string, string, unknown?])[] = [
      ['GET', ''],
      ['POST', '', { satisfied: true }],
      ['DELETE', '?satisfied=true'],
    ];
    for (const [method, query, body] of calls) {
      for (const other of [randomUUID(), 'x', id.toUpperCase()]) {
        const { status, body: problem } = await app.ask('ada', method, pathOf(other) + query, body);
        expect([status, (problem as { code: string }).code]).to.deep.equal([404, 'question_not_found']);
      }
      expect((await app.ask(undefined, method, pathOf(id) + query, body)).status).to.equal(401);
    }
    for (const query of ['', '?satisfied=', '?satisfied=2', '?satisfied=true&satisfied=true', '?satisfied=tRUE']) {
      expect((await app.ask('ada', 'DELETE', pathOf(id) + query)).body).to.include({ code: 'bad_parameter' });
    }
  });
});

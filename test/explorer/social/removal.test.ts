import { expect } from 'chai';
import { pino } from 'pino';
import { feedbackOperations } from '../../../app-routes/explorer/feedback.js';
import { QuestionFeedback } from '../../../explorer/questions/feedback.js';
import { SqlQuota } from '../../../explorer/questions/sql-quota.js';
import { deleteOldQuestions } from '../../../explorer/retention/old-questions.js';
import { deleteOwnedRows } from '../../../explorer/retention/owned-rows.js';
import { forgetOldQuestions } from '../../../server/background/forget-old.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import {
  cellsOf,
  clearExplorer,
  EXPLORER_TABLES,
  type ExplorerApp,
  insertRows,
  NOON,
  seedQuestion,
  startExplorerApp,
} from './explorer-app.js';

const DAY_MS = 86_400_000;

onBothDatabases('the deletion of questions', (environment) => {
  let app: ExplorerApp;
  let feedback: QuestionFeedback;
  before(async () => {
    app = await startExplorerApp(environment(), (database, state) => {
      feedback = new QuestionFeedback(database, state);
      return feedbackOperations(feedback);
    });
  });
  after(() => app.close());
  beforeEach(() => clearExplorer(app));

  const give = (questionId: string, userId: number) =>
    feedback.give({ questionId, userId, satisfied: true, feedbackContent: 'text' }, NOON);
  const counts = async () => {
    const all: Record<string, number> = {};
    for (const table of EXPLORER_TABLES) {
      const [[count] = []] = await cellsOf(app.state, `SELECT COUNT(*) FROM (SELECT * FROM ${table}) rows_of_table`);
      if (Number(count) > 0) all[table] = Number(count);
    }
    return all;
  };

  it('happens with the removal of their user, and leaves nothing of the user', async () => {
    const [removed, other] = [await app.user('removed-1'), await app.user('other')];
    const own = await seedQuestion(app.state, { userId: removed.id, title: 'Own?', asked: 3, tags: [1, 2] });
    await seedQuestion(app.state, { userId: removed.id, title: 'Best?', recommended: true });
    await seedQuestion(app.state, { userId: removed.id, title: 'Running?', status: 'running' });
    const kept = await seedQuestion(app.state, { userId: other.id, title: 'Kept?', asked: 1, tags: [3] });
    for (const question of [own, kept]) for (const user of [removed.id, other.id]) await give(question, user);
    const quota = new SqlQuota(app.database, app.state);
    for (const user of [removed, other]) await quota.take(user, NOON);
    await app.users.remove(removed.id, NOON, deleteOwnedRows);
    expect(await counts()).to.deep.equal({
      explorer_questions: 1,
      explorer_popular_questions: 1,
      explorer_question_tags: 1,
      explorer_feedback: 1,
      explorer_sql_quotas: 1,
    });
    expect(await cellsOf(app.state, 'SELECT question_id, user_id FROM explorer_feedback')).to.deep.equal([
      [kept, String(other.id)],
    ]);
    const { status, body } = await app.ask('removed-1', 'GET', `/explorer/questions/${kept}/feedback/`);
    expect([status, (body as { code: string }).code]).to.deep.equal([404, 'user_not_found']);
  });

  it('happens in batches for a user with many questions', async () => {
    const [removed, other] = [await app.user('removed-2'), await app.user('other')];
    await seedMany(app, removed.id, 450, NOON);
    await seedMany(app, other.id, 3, NOON);
    await app.users.remove(removed.id, NOON, deleteOwnedRows);
    expect(await counts()).to.deep.equal({ explorer_questions: 3 });
    expect(await app.users.findById(removed.id)).to.equal(undefined);
  });

  it('leaves no feedback or quota of a user who sends requests during the removal', async () => {
    const [removed, other] = [await app.user('removed-3'), await app.user('other')];
    const question = await seedQuestion(app.state, { userId: other.id });
    const quota = new SqlQuota(app.database, app.state);
    const writes = Array.from({ length: 20 }, () => [give(question, removed.id), quota.take(removed, NOON)]).flat();
    const [results] = await Promise.all([
      Promise.allSettled(writes),
      app.users.remove(removed.id, NOON, deleteOwnedRows),
    ]);
    const names = results.flatMap((it) => (it.status === 'rejected' ? [(it.reason as Error).name] : []));
    expect(names.filter((name) => name !== 'RemovedUserError')).to.deep.equal([]);
    expect(await counts()).to.deep.equal({ explorer_questions: 1 });
  });

  it('deletes old questions with everything that belongs to them, but keeps recommended ones', async () => {
    const user = await app.user('other');
    const [old, recent] = [new Date(NOON.getTime() - 1_000), NOON];
    const deleted = await seedQuestion(app.state, {
      userId: user.id,
      title: 'A?',
      createdAt: old,
      asked: 2,
      tags: [1],
    });
    const best = { userId: user.id, title: 'B?', createdAt: old, asked: 2, tags: [1], recommended: true };
    const kept = [
      await seedQuestion(app.state, best),
      await seedQuestion(app.state, { userId: user.id, title: 'C?', createdAt: recent, asked: 2, tags: [1] }),
    ].sort();
    for (const question of [deleted, ...kept]) await give(question, user.id);
    await app.state.transaction(async (tables) => {
      for (const day of ['2026-06-29', '2026-06-30']) {
        await tables.run('INSERT INTO explorer_sql_quotas (user_id, day, used) VALUES (1, :p1, 1)', [day]);
        await tables.run('INSERT INTO explorer_model_tokens (day, tokens) VALUES (:p1, 1)', [day]);
      }
    });
    expect(await deleteOldQuestions(app.state, NOON)).to.equal(1);
    expect(await deleteOldQuestions(app.state, NOON)).to.equal(0);
    for (const [table, column] of [
      ['explorer_questions', 'id'],
      ['explorer_popular_questions', 'question_id'],
      ['explorer_question_tags', 'question_id'],
      ['explorer_feedback', 'question_id'],
    ]) {
      const cells = await cellsOf(app.state, `SELECT ${column} FROM ${table} ORDER BY ${column}`);
      expect(cells.flat(), table).to.deep.equal(kept);
    }
    for (const table of ['explorer_sql_quotas', 'explorer_model_tokens']) {
      expect(await cellsOf(app.state, `SELECT day FROM ${table}`)).to.deep.equal([['2026-06-30']]);
    }
  });

  it('deletes old questions in batches, and stops after a batch when the service stops', async () => {
    await seedMany(app, 1, 450, new Date(NOON.getTime() - 1_000));
    expect(await deleteOldQuestions(app.state, NOON, AbortSignal.abort())).to.equal(200);
    expect(await deleteOldQuestions(app.state, NOON)).to.equal(250);
    expect(await counts()).to.deep.equal({});
  });

  it('runs in the service after the time of its setting', async () => {
    for (const [title, ageMs] of [
      ['younger', 20 * DAY_MS - 1_000],
      ['older', 20 * DAY_MS + 1_000],
    ] as const) {
      await seedQuestion(app.state, { userId: 1, title, createdAt: new Date(NOON.getTime() - ageMs) });
    }
    const log: unknown[] = [];
    const write = (line: string) => {
      const { forgotten, msg } = JSON.parse(line) as Record<string, unknown>;
      log.push([forgotten, msg]);
    };
    const logger = pino({ level: 'info' }, { write });
    expect(forgetOldQuestions(0, app.state, logger)).to.equal(undefined);
    expect(forgetOldQuestions(20, undefined, logger)).to.equal(undefined);
    const work = forgetOldQuestions(20, app.state, logger, () => NOON);
    try {
      await eventually(() => log.length > 0);
    } finally {
      await work?.stop();
    }
    expect(log).to.deep.equal([[1, 'old questions were deleted']]);
    expect(await cellsOf(app.state, 'SELECT title FROM explorer_questions')).to.deep.equal([['younger']]);
  });
});

async function seedMany({ state }: ExplorerApp, userId: number, count: number, createdAt: Date): Promise<void> {
  const at = createdAt.toISOString().slice(0, 19).replace('T', ' ');
  const columns = 'id, hash, user_id, status, title, record, place, created_at';
  const rows = Array.from({ length: count }, (_, index) => [
    ...[`${userId}-${index}`, 'hash', userId, 'success', 'title', '{}', index, at],
  ]);
  await insertRows(state, `explorer_questions (${columns})`, rows);
}

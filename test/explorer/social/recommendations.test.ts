import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recommendationOperations } from '../../../app-routes/explorer/recommendations.js';
import { QuestionError } from '../../../explorer/questions/error-types.js';
import { GeneratedQuestions, type GenerateQuestions } from '../../../explorer/questions/generated-questions.js';
import { foldQuestion, hashText } from '../../../explorer/questions/question-text.js';
import { Recommendations } from '../../../explorer/questions/recommendations.js';
import { onBothDatabases } from '../../services/mysql.js';
import {
  cellsOf,
  changesOf,
  clearExplorer,
  type ExplorerApp,
  insertRows,
  NOON,
  type SeededQuestion,
  seedQuestion,
  startExplorerApp,
} from './explorer-app.js';

const LIST = '/explorer/questions/recommend/';
const REFRESH = '/explorer/questions/recommend/batchRefresh/';
const LIMITS = { count: 3, timeoutMs: 1_000 };

onBothDatabases('recommended questions', (environment) => {
  let app: ExplorerApp;
  let trusted: number;
  let generate: GenerateQuestions;
  before(async () => {
    app = await startExplorerApp(environment(), (database, state) =>
      recommendationOperations(
        new Recommendations(database, state),
        new GeneratedQuestions(database, state, (n, signal) => generate(n, signal), LIMITS),
      ),
    );
    await app.user('ordinary');
    trusted = (await app.user('trusted', true)).id;
  });
  after(() => app.close());
  beforeEach(async () => {
    await clearExplorer(app);
    app.setNow(NOON);
    app.failures.length = 0;
    generate = async () => ['One?', 'Two?', 'Three?'];
  });

  const seed = (title: string, more: Partial<SeededQuestion> = {}) =>
    seedQuestion(app.state, { userId: trusted, title, ...more });
  const list = async (query = '') => (await app.ask(undefined, 'GET', LIST + query)).body;
  const titles = async (query = '') => ((await list(query)) as { title: string }[]).map(({ title }) => title);
  const change = async (id: string, what = '', login = 'trusted') => {
    const { status, body } = await app.ask(login, 'POST', `/explorer/questions/${id}/recommend/${what}`);
    return [status, (body as { code?: string }).code ?? body];
  };
  const refresh = (login = 'trusted') => app.ask(login, 'POST', REFRESH);
  const generated = (title: string) => ({
    hash: hashText(foldQuestion(title)),
    title,
    aiGenerated: true,
    questionId: null,
    recommended: false,
    asked: 0,
  });

  it('are the recommended ones first, then the others, both by popularity', async () => {
    expect(await list()).to.deep.equal([]);
    const ids = {
      often: await seed('Often?', { asked: 9 }),
      rarely: await seed('Rarely?', { asked: 2 }),
      best: await seed('Best?', { asked: 5, recommended: true }),
      good: await seed('Good?', { recommended: true }),
    };
    await seed('Failed?', { asked: 100, status: 'error' });
    await seed('Of one user only?', { asked: 1 });
    await seed('Not counted?');
    const item = (id: string, title: string, recommended: boolean, asked: number) => ({
      hash: hashText(title),
      title,
      aiGenerated: false,
      questionId: id,
      recommended,
      asked,
    });
    const expected = [
      item(ids.best, 'Best?', true, 5),
      item(ids.good, 'Good?', true, 0),
      item(ids.often, 'Often?', false, 9),
      item(ids.rarely, 'Rarely?', false, 2),
    ];
    for (const query of ['', '?aiGenerated=false', '?n=100']) expect(await list(query)).to.deep.equal(expected);
    expect(await list('?n=1')).to.deep.equal(expected.slice(0, 1));
  });

  it('contain equal questions once: the newest recommended one', async () => {
    await seed('How many stars?', { recommended: true, createdAt: new Date('2025-01-01') });
    const newest = await seed('How many  stars?', { recommended: true, createdAt: new Date('2026-01-01') });
    await seed('How many stars?', { asked: 4, createdAt: new Date('2026-02-01') });
    expect(await list()).to.deep.equal([
      {
        hash: hashText('How many stars?'),
        title: 'How many  stars?',
        aiGenerated: false,
        questionId: newest,
        recommended: true,
        asked: 4,
      },
    ]);
  });

  it('can be limited to a tag', async () => {
    await seed('Tagged?', { asked: 2, tags: [1, 6] });
    await seed('Tagged and better?', { recommended: true, tags: [6] });
    await seed('Other tag?', { asked: 5, tags: [2] });
    await seed('Failed?', { status: 'error', tags: [6] });
    expect(await titles('?tagId=6')).to.deep.equal(['Tagged and better?', 'Tagged?']);
    expect(await titles('?tagId=6&n=1')).to.deep.equal(['Tagged and better?']);
    expect(await titles('?tagId=1')).to.deep.equal(['Tagged?']);
    expect(await titles('?tagId=9007199254740991')).to.deep.equal([]);
    await refresh();
    expect(await titles('?aiGenerated=true&tagId=6')).to.deep.equal([]);
  });

  it('are at most 100, also if more are recommended', async () => {
    const time = '2026-01-01 00:00:00';
    const questions = Array.from({ length: 130 }, (_, index) => {
      const title = `question ${index}`;
      return { index, id: randomUUID(), hash: hashText(title), title };
    });
    await insertRows(
      app.state,
      'explorer_questions (id, hash, user_id, status, title, record, lane, place, recommended, created_at, finished_at)',
      questions.map(({ index, id, hash, title }) => [
        ...[id, hash, 1, 'success', title, '{}', 'cheap', 1, Number(index < 110), time, time],
      ]),
    );
    await insertRows(
      app.state,
      'explorer_popular_questions (hash, question_id, asked)',
      questions.map(({ index, id, hash }) => [hash, id, index]),
    );
    const all = (await list('?n=100')) as { recommended: boolean; asked: number }[];
    expect(all).to.have.length(100);
    expect(all.every(({ recommended }) => recommended)).to.equal(true);
    expect(all.map(({ asked }) => asked)).to.deep.equal(all.map(({ asked }) => asked).sort((a, b) => b - a));
    expect(await titles()).to.have.length(10);
  });

  it('reject invalid parameters', async () => {
    const queries = ['n=0', 'n=101', 'n=x', 'n=1.5', 'n=', 'aiGenerated=2', 'tagId=0', 'tagId=x', 'n=1&n=2', 'tag=1'];
    for (const query of queries) {
      expect((await app.ask(undefined, 'GET', `${LIST}?${query}`)).body, query).to.include({ code: 'bad_parameter' });
    }
  });

  it('are chosen by trusted users, and a repeated choice changes nothing', async () => {
    const id = await seed('Good?', { asked: 1 });
    const [yes, no] = [
      [200, { questionId: id, recommended: true }],
      [200, { questionId: id, recommended: false }],
    ];
    const recommended = async () => (await cellsOf(app.state, 'SELECT recommended FROM explorer_questions'))[0]?.[0];
    expect(await change(id, 'cancel/')).to.deep.equal(no);
    expect([await change(id), await recommended()]).to.deep.equal([yes, '1']);
    expect([await change(id), await recommended()]).to.deep.equal([yes, '1']);
    expect([await change(id, 'cancel/'), await recommended()]).to.deep.equal([no, '0']);
    expect(await changesOf(app.state)).to.deep.equal([
      [`user ${trusted}`, 'recommend', `question ${id}`, ''],
      [`user ${trusted}`, 'cancel-recommendation', `question ${id}`, ''],
    ]);
    for (const what of ['', 'cancel/']) {
      expect(await change(id, what, 'ordinary')).to.deep.equal([403, 'not_trusted']);
      expect((await app.ask(undefined, 'POST', `/explorer/questions/${id}/recommend/${what}`)).status).to.equal(401);
      for (const other of [randomUUID(), 'x', id.toUpperCase(), '%F0%9F%98%80']) {
        expect(await change(other, what), other).to.deep.equal([404, 'question_not_found']);
      }
    }
  });

  it('must have an answer', async () => {
    for (const status of ['new', 'running', 'error', 'cancel']) {
      const id = await seed('Good?', { status });
      const { body } = await app.ask('trusted', 'POST', `/explorer/questions/${id}/recommend/`);
      expect(body).to.include({
        status: 409,
        code: 'question_not_answered',
        detail: `The question ${id} has the status ${status}; only a question with the status success can be recommended.`,
      });
    }
  });

  it('can be generated, and a refresh replaces all of them', async () => {
    const counts: number[] = [];
    generate = async (n) => {
      counts.push(n);
      return ['  One\t? ', 'One ?', '', 'Two 😀?', 'x'.repeat(513), 'nul \0?', '\ud800?', 'Three?', 'Four?'];
    };
    const expected = ['One ?', 'Two 😀?', 'Three?'].map(generated);
    expect((await refresh()).body).to.deep.equal(expected);
    expect(await list('?aiGenerated=true')).to.deep.equal(expected);
    expect(await list('?aiGenerated=true&n=2')).to.deep.equal(expected.slice(0, 2));
    expect(await list()).to.deep.equal([]);
    generate = async () => ['Two 😀?', 'Five?', 'Six?'];
    await refresh();
    expect(await titles('?aiGenerated=true')).to.deep.equal(['Two 😀?', 'Five?', 'Six?']);
    expect(counts).to.deep.equal([3]);
    expect(await changesOf(app.state)).to.deep.equal(
      ['3', '3'].map((detail) => [`user ${trusted}`, 'refresh-questions', 'generated questions', detail]),
    );
    expect((await refresh('ordinary')).body).to.include({ code: 'not_trusted' });
    expect((await app.ask(undefined, 'POST', REFRESH)).status).to.equal(401);
  });

  it('stay if a refresh fails or takes too long, and the next refresh can run at once', async () => {
    await refresh();
    const failing: GenerateQuestions[] = [
      async () => ['One new?', 'Two new?'],
      async () => ['Same?', 'Same?', 'Same?'],
      async () => {
        throw new QuestionError('error-answer-generate', 'The model is not configured.');
      },
      () => new Promise(() => undefined),
    ];
    for (const fails of failing) {
      generate = fails;
      expect((await refresh()).body).to.include({ code: 'model_unavailable', status: 503 });
    }
    generate = async () => {
      throw new TypeError('a fault of this program');
    };
    expect((await refresh()).body).to.include({ code: 'internal_error' });
    expect(await titles('?aiGenerated=true')).to.deep.equal(['One?', 'Two?', 'Three?']);
    generate = async () => ['A?', 'B?', 'C?'];
    expect((await refresh()).status).to.equal(200);
    expect(await titles('?aiGenerated=true')).to.deep.equal(['A?', 'B?', 'C?']);
  });

  it('are refreshed by one request at a time', async () => {
    let calls = 0;
    let finish: (titles: string[]) => void = () => undefined;
    const finished = new Promise<string[]>((resolve) => {
      finish = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      generate = () => {
        calls += 1;
        resolve();
        return finished;
      };
    });
    const first = refresh();
    await begun;
    const others = await Promise.all(Array.from({ length: 5 }, () => refresh()));
    for (const { body, headers } of others) {
      expect(body).to.include({ status: 409, code: 'refresh_running' });
      expect(headers.get('retry-after')).to.equal('11');
    }
    finish(['A?', 'B?', 'C?']);
    expect((await first).status).to.equal(200);
    expect([calls, await titles('?aiGenerated=true')]).to.deep.equal([1, ['A?', 'B?', 'C?']]);
  });

  it('can be refreshed again after a process stopped during a refresh', async () => {
    const stopping = new AbortController();
    let lost: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      const stalled = () => {
        begun();
        return new Promise<never>(() => undefined);
      };
      const stopped = new GeneratedQuestions(app.database, app.state, stalled);
      lost = stopped.refresh(trusted, NOON, stopping.signal).catch((error: unknown) => error);
    });
    app.setNow(new Date(NOON.getTime() + 69_000));
    await app.state.transaction((tables) =>
      tables.run("UPDATE sys_counters SET value = :p1 WHERE name = 'explorer-refresh-until'", [
        NOON.getTime() + 70_000,
      ]),
    );
    expect((await refresh()).body).to.include({ code: 'refresh_running' });
    app.setNow(new Date(NOON.getTime() + 70_000));
    expect((await refresh()).status).to.equal(200);
    stopping.abort();
    expect(await lost).to.include({ code: 'query_cancelled' });
    expect(await titles('?aiGenerated=true')).to.deep.equal(['One?', 'Two?', 'Three?']);
  });

  it('are shown completely, old or new, while they are refreshed', async () => {
    await refresh();
    for (let round = 0; round < 3; round += 1) {
      generate = async () => [`A${round}?`, `B${round}?`, `C${round}?`];
      const reads = Array.from({ length: 5 }, () => titles('?aiGenerated=true'));
      expect((await refresh()).status).to.equal(200);
      for (const seen of await Promise.all(reads)) {
        expect([
          seen.length,
          new Set(seen.map((title) => title.slice(1))).size <= 1 || seen[0] === 'One?',
        ]).to.deep.equal([3, true]);
      }
    }
  });
});

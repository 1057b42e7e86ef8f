import { expect } from 'chai';
import { sqlTime } from '../../../engine/index.js';
import {
  COUNT,
  type ExplorerService,
  modelQuestion,
  pathOf,
  type QuestionRecord,
  writesSql,
} from './explorer-service.js';

const PATH = '/explorer/questions/';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function askTests(explorer: ExplorerService): void {
  /** Asks a question and waits for its answer. */
  const answered = async (login: string, question: string, ignoreCache = false): Promise<QuestionRecord> => {
    const { id } = await explorer.ask(login, question, ignoreCache);
    return explorer.waitForEnd(id);
  };

  it('returns the whole record at once, and later with the answer of the model', async () => {
    const title = modelQuestion('record');
    const chart = { chartName: 'NumberCard', title: 'Events', value: 'events' };
    explorer.model.replyTo(title, writesSql(COUNT, chart));
    const asked = await explorer.ask('ada', `  ${title.replaceAll(' ', ' \n ')} `);
    const { id, hash, userId, createdAt } = asked;
    expect([id, createdAt]).to.satisfy(() => UUID.test(id) && TIME.test(createdAt));
    expect(hash).to.match(/^[0-9a-f]{64}$/);
    const empty = {
      ...{ answer: null, revisedTitle: null, notClear: null, assumption: null, combinedTitle: null },
      ...{ sqlCanAnswer: null, querySQL: null, queryHash: null, engine: null, engines: [], definition: null },
      ...{ plan: null, lane: null, recommendedQuestions: [], result: null, chart: null, recommended: false },
      ...{ requestedAt: null, executedAt: null, finishedAt: null, spent: null, errorType: null, error: null },
    };
    const begun = { ...empty, id, hash, userId, title, status: 'new', queuePreceding: 0, hitCache: false, createdAt };
    expect(asked).to.deep.equal(begun);
    const record = await explorer.waitFor(id, 'success');
    const { answer, queryHash, plan, result, requestedAt, executedAt, finishedAt, spent } = record;
    expect([requestedAt, executedAt, finishedAt].every((time) => TIME.test(time ?? ''))).to.equal(true);
    expect(JSON.parse(answer ?? '')).to.include({ sql: COUNT });
    expect(plan).to.not.have.length(0);
    expect(result).to.have.all.keys('fields', 'rows', 'truncated', 'notices', 'dataAsOf', 'stale');
    expect(record).to.deep.equal({
      ...begun,
      ...{ status: 'success', answer, revisedTitle: 'The understood question', notClear: '', assumption: '' },
      ...{ combinedTitle: 'The understood question', sqlCanAnswer: true, querySQL: COUNT, queryHash, plan, result },
      ...{ engine: 'model', engines: ['model'], lane: 'cheap', chart, requestedAt, executedAt, finishedAt, spent },
    });
  });

  it('repairs SQL that the guard rejects, with its message as data', async () => {
    const title = modelQuestion('repair');
    const hostile = 'SELECT email AS pushes FROM sys_users';
    explorer.model.replyTo(title, ({ prompt }) => writesSql(prompt.includes('<rejected_sql>') ? COUNT : hostile));
    expect(await answered('abe', title)).to.include({ status: 'success', querySQL: COUNT });
    const prompt = explorer.model.requests.at(-1)?.prompt;
    expect(prompt)
      .to.contain(`<rejected_sql>"${hostile}"</rejected_sql>`)
      .and.contain('there is no public table sys_users');
  });

  it('answers with a definition and its parameters', async () => {
    const record = await answered('bea', `Who opened the most issues in ${explorer.demo.repository}?`);
    const [owner, repo] = explorer.demo.repository.split('/');
    expect(record).to.include({ status: 'success', engine: 'catalogue', plan: null, answer: null, lane: 'cheap' });
    expect(record.definition?.name).to.match(/issue-creators/);
    expect(record.definition?.parameters).to.include({ owner, repo });
    expect(record.querySQL)
      .to.match(/^SELECT|^WITH/)
      .and.not.contain('{{');
  });

  it('gives the answer of the last 7 days to an equal question of another user', async () => {
    const title = modelQuestion('cache');
    explorer.model.replyTo(title, writesSql(COUNT));
    const first = await answered('cai', title);
    const count = explorer.model.requests.length;
    const cached = await explorer.ask('dee', `${title.replaceAll(' ', '\t ')}\n`);
    const { id, userId, createdAt, requestedAt, finishedAt } = cached;
    expect(cached).to.deep.equal({
      ...first,
      ...{ id, userId, createdAt, requestedAt, finishedAt, hitCache: true, answer: cached.answer },
    });
    expect([id === first.id, userId === first.userId]).to.deep.equal([false, false]);
    expect(await explorer.read(id)).to.deep.equal(cached);
    expect(explorer.model.requests).to.have.length(count);
    const again = await answered('dee', title, true);
    expect(again).to.include({ hitCache: false, status: 'success' });
    expect(explorer.model.requests).to.have.length(count + 1);
    const old = sqlTime(new Date(Date.parse(first.createdAt) - 7 * 24 * 3_600_000 - 60_000));
    await explorer.demo.state.transaction((tables) =>
      tables.run('UPDATE explorer_questions SET created_at = :p1 WHERE title = :p2', [old, title]),
    );
    expect(await answered('dee', title)).to.include({ hitCache: false, status: 'success' });
    expect(explorer.model.requests).to.have.length(count + 2);
  });

  it('does not store failures for equal questions', async () => {
    const title = modelQuestion('failure');
    const replies = [{ answer: { sqlCanAnswer: false, reason: 'Not now.' } }, writesSql(COUNT)];
    explorer.model.replyTo(title, () => replies.shift() ?? { status: 500 });
    expect((await answered('eli', title)).status).to.equal('error');
    expect(await answered('eli', title)).to.include({ status: 'success', hitCache: false });
  });

  it('rejects a third question in progress, and leaves the two others unchanged', async () => {
    const title = modelQuestion('three');
    explorer.model.replyTo(title, { stall: 'before-headers' });
    const asked = [await explorer.ask('fay', `${title} 1`), await explorer.ask('fay', `${title} 2`)];
    for (const path of [PATH, '/explorer/answer/']) {
      const { status, headers, body } = await explorer.send('fay', 'POST', path, { question: `${title} 3` });
      expect([status, headers.get('retry-after')]).to.deep.equal([429, '5']);
      expect(body).to.include({
        code: 'too_many_questions',
        detail: '2 of your questions are in progress; at most 2 are allowed. Wait for an answer or cancel a question.',
      });
    }
    for (const { id } of asked) expect((await explorer.waitFor(id, 'answer_generating')).status).to.be.a('string');
    for (const { id } of asked) await explorer.send('fay', 'POST', `${pathOf(id)}cancel/`);
    expect((await explorer.send('fay', 'GET', '/user/questions/')).body)
      .to.have.property('questions')
      .of.length(2);
  });

  it('accepts 15 questions per hour of a user, and more of a trusted user', async () => {
    const title = modelQuestion('hour');
    explorer.model.replyTo(title, writesSql(COUNT));
    await answered('gus', title);
    for (let count = 2; count <= 15; count += 1) expect((await explorer.ask('gus', title)).hitCache).to.equal(true);
    const { status, headers, body } = await explorer.send('gus', 'POST', PATH, { question: title });
    const seconds = Number(headers.get('retry-after'));
    expect([status, seconds > 1_800 && seconds <= 3_601]).to.deep.equal([429, true]);
    expect((body as { detail: string }).detail).to.equal(`You may ask 15 questions per hour; retry in ${seconds} s.`);
    await explorer.trust('gus');
    expect((await explorer.ask('gus', title)).hitCache).to.equal(true);
    expect((await explorer.ask('hal', title)).hitCache).to.equal(true);
  });

  it('accepts 512 characters of every kind, and cancels only questions of the caller', async () => {
    const start = modelQuestion('of 512 characters');
    const title = start + '😀'.repeat(512 - start.length);
    explorer.model.replyTo(start, { stall: 'before-headers' });
    const asked = await explorer.ask('ida', title);
    expect(asked.title).to.equal(title);
    const { status, body } = await explorer.send('jan', 'POST', `${pathOf(asked.id)}cancel/`);
    expect([status, (body as { detail: string }).detail]).to.deep.equal([
      404,
      `There is no question ${asked.id} that you asked.`,
    ]);
    const cancelled = await explorer.send('ida', 'POST', `${pathOf(asked.id)}cancel/`);
    expect(cancelled.body, JSON.stringify(cancelled.body)).to.include({
      status: 'cancel',
      errorType: null,
      error: null,
    });
    const again = await explorer.send('ida', 'POST', `${pathOf(asked.id)}cancel/`);
    expect(again.body).to.deep.equal(cancelled.body);
  });
}

import { expect } from 'chai';
import { CONCURRENCY } from '../../../explorer/work/work-queue.js';
import { eventually } from '../../services/eventually.js';
import { COUNT, type ExplorerService, modelQuestion, pathOf, SLOW, writesSql } from './explorer-service.js';

export function statusTests(explorer: ExplorerService): void {
  it('are new in the answer to the question, and while other questions are prepared', async () => {
    const question = modelQuestion('status new');
    explorer.model.replyTo(question, { stall: 'before-headers' });
    const asked = [];
    for (let index = 0; index < CONCURRENCY.prepare + 3; index += 1)
      asked.push(await explorer.ask(`new-${index}`, `${question} ${index}`));
    expect(new Set(asked.map(({ status }) => status))).to.deep.equal(new Set(['new']));
    const working = asked.slice(0, CONCURRENCY.prepare).map(({ id }) => explorer.waitFor(id, 'answer_generating'));
    expect(new Set((await Promise.all(working)).map(({ queuePreceding }) => queuePreceding))).to.deep.equal(
      new Set([0]),
    );
    const waiting = await Promise.all(asked.slice(CONCURRENCY.prepare).map(({ id }) => explorer.read(id)));
    expect(waiting.map(({ status, queuePreceding }) => [status, queuePreceding])).to.deep.equal([
      ['new', 0],
      ['new', 1],
      ['new', 2],
    ]);
    for (const [index, { id }] of asked.entries()) await cancel(explorer, `new-${index}`, id);
  });

  it('are answer_generating while the model works on its answer', async () => {
    const question = modelQuestion('status answer_generating');
    explorer.model.replyTo(question, { stall: 'before-headers' });
    const { id } = await explorer.ask('ada', question);
    const record = await explorer.waitFor(id, 'answer_generating');
    expect(record.requestedAt).to.be.a('string');
    expect(record).to.deep.include({ querySQL: null, executedAt: null, finishedAt: null, result: null, chart: null });
    await cancel(explorer, 'ada', id);
  });

  it('are sql_validating while the SQL of the model is validated and repaired', async () => {
    const question = modelQuestion('status sql_validating');
    const wrong = 'SELECT nothing FROM github_events';
    explorer.model.replyTo(question, ({ prompt }) =>
      prompt.includes('<rejected_sql>') ? { stall: 'before-headers' } : writesSql(wrong),
    );
    const { id } = await explorer.ask('bea', question);
    const record = await explorer.waitFor(id, 'sql_validating');
    expect(record).to.deep.include({ querySQL: wrong, engines: ['model'], lane: null, executedAt: null });
    await cancel(explorer, 'bea', id);
  });

  it('are success with all times in their order', async () => {
    const question = modelQuestion('status success');
    explorer.model.replyTo(question, writesSql(COUNT));
    const { id } = await explorer.ask('fay', question);
    const record = await explorer.waitFor(id, 'success');
    const { createdAt, requestedAt, executedAt, finishedAt } = record;
    const times = [createdAt, requestedAt, executedAt, finishedAt].map((time) => Date.parse(time ?? ''));
    expect([...times].sort((a, b) => a - b)).to.deep.equal(times);
    expect(record).to.include({ errorType: null, error: null });
  });

  it('are error with the type of the error, and final', async () => {
    const question = modelQuestion('status error');
    explorer.model.replyTo(question, writesSql('SELECT nothing FROM github_events'));
    const { id } = await explorer.ask('gus', question);
    const failed = await explorer.waitFor(id, 'error');
    expect(failed.errorType).to.equal('error-validate-sql');
    const { status, body } = await explorer.send('gus', 'POST', `${pathOf(id)}cancel/`);
    expect([status, body]).to.deep.equal([200, failed]);
  });

  it('are cancel after a cancellation, and stay so when the model answers later', async () => {
    const question = modelQuestion('status cancel');
    explorer.model.replyTo(question, { stall: 'before-headers' });
    const { id } = await explorer.ask('hal', question);
    await explorer.waitFor(id, 'answer_generating');
    await eventually(() => explorer.model.requests.some(({ prompt }) => prompt.includes(question)));
    await cancel(explorer, 'hal', id);
    explorer.model.release();
    await eventually(() => explorer.model.concurrent === 0);
    expect(await explorer.read(id)).to.include({ status: 'cancel', errorType: null, error: null, result: null });
  });
}

/** Defines the test of running queries, which depends on the database. */
export function runningTests(explorer: ExplorerService): void {
  it('are running during the query and waiting before it, and both can be cancelled', async () => {
    const question = modelQuestion('status running');
    explorer.model.replyTo(question, writesSql(SLOW));
    const running = await explorer.ask('cai', `${question} 1`);
    const record = await explorer.waitFor(running.id, 'running');
    expect(record).to.include({
      lane: 'expensive',
      sqlCanAnswer: true,
      querySQL: SLOW,
      finishedAt: null,
      result: null,
    });
    expect(record.executedAt).to.be.a('string');
    expect(record.plan).to.not.equal(null);
    const waiting = await explorer.ask('dee', `${question} 2`);
    expect(await explorer.waitFor(waiting.id, 'waiting')).to.include({ queuePreceding: 0, executedAt: null });
    const next = await explorer.ask('eli', `${question} 3`);
    await explorer.waitFor(next.id, 'waiting');
    expect((await explorer.read(next.id)).queuePreceding).to.equal(1);
    await cancel(explorer, 'dee', waiting.id);
    expect((await explorer.read(next.id)).queuePreceding).to.equal(0);
    await cancel(explorer, 'cai', running.id);
    // The cancelled query is stopped, so the next query starts before the time limit of the first one.
    await explorer.waitFor(next.id, 'running');
    await cancel(explorer, 'eli', next.id);
  });
}

async function cancel(explorer: ExplorerService, login: string, id: string): Promise<void> {
  const { status, body } = await explorer.send(login, 'POST', `${pathOf(id)}cancel/`);
  expect([status, (body as { status: string }).status]).to.deep.equal([200, 'cancel']);
}

import { expect } from 'chai';
import { Explorer, type ExplorerParts } from '../../../explorer/explorer.js';
import { Playground } from '../../../explorer/playground/playground.js';
import { askQuestion } from '../../../explorer/questions/ask-question.js';
import { isFinal, type Question } from '../../../explorer/questions/question.js';
import { QuestionStore } from '../../../explorer/questions/question-store.js';
import { InProcessQueue } from '../../../explorer/work/in-process-queue.js';
import { QuestionChanges } from '../../../explorer/work/question-changes.js';
import { QuestionWorker } from '../../../explorer/work/question-worker.js';
import { openEngine } from '../../../server/open-engine.js';
import { TABLE_REFERENCE } from '../../../warehouse/table-reference.js';
import { NOW } from '../../service/demo-data.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import { type ExplorerWarehouse, openExplorerWarehouse } from '../explorer-warehouse.js';
import { proposeSql, ScriptedAnswerer } from '../scripted-answerer.js';

onBothDatabases('a worker that paused or stops', (environment) => {
  let warehouse: ExplorerWarehouse;
  let parts: ExplorerParts;
  let store: QuestionStore;
  let answerer: ScriptedAnswerer;
  let users = 0;
  const failures: unknown[] = [];
  before(async () => {
    warehouse = await openExplorerWarehouse(environment());
    const { database, state, settings } = warehouse;
    store = new QuestionStore(database, state);
    parts = {
      ...{ database, state, answerer: new ScriptedAnswerer(), queue: new InProcessQueue() },
      playground: new Playground(await warehouse.openPlayground(), TABLE_REFERENCE, 600_000),
      engine: await openEngine(settings, database),
      newestData: async () => new Date(NOW),
      clock: () => new Date(NOW),
      systemClock: () => new Date(NOW),
      isOnlyProcess: false,
      prepareMs: 600_000,
      onRejected: () => {},
      onFailure: (error) => failures.push(error),
    };
  });
  after(() => warehouse.close());
  beforeEach(() => {
    answerer = new ScriptedAnswerer();
    failures.length = 0;
  });
  afterEach(() => warehouse.state.transaction((tables) => tables.run('DELETE FROM explorer_questions')));

  const createWorker = () =>
    new QuestionWorker({ ...parts, answerer, store, changes: new QuestionChanges(), queue: new InProcessQueue() });
  const ask = async (text: string) => {
    const user = { id: await warehouse.createUser(`pausing-${users++}`), isTrusted: false };
    return askQuestion(warehouse, { user, text, ignoreCache: true, now: new Date(NOW) });
  };
  const statusOf = async ({ id }: Question) => (await store.find(id))?.question.status;
  /** Scripts questions that wait until they are aborted. Returns their abort signals. */
  const stall = () => {
    const signals: AbortSignal[] = [];
    answerer.on('stall', (_question, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    return signals;
  };

  it('stops earlier work on a question that it claims again, and renews only the new claim', async () => {
    const signals = stall();
    const worker = createWorker();
    const question = await ask('stall after a pause');
    const first = worker.work('prepare');
    await eventually(() => signals.length === 1);
    await store.renew(worker.claims(), -5_000);
    await store.recover(new Date(NOW));
    const second = worker.work('prepare');
    await eventually(() => signals.length === 2);
    await first;
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, false]);
    await store.renew(worker.claims(), -5_000);
    await worker.renew();
    expect(await store.recover(new Date(NOW))).to.deep.equal([]);
    worker.stop();
    await second;
    expect(await statusOf(question)).to.equal('new');
    expect(failures).to.deep.equal([]);
  });

  it('returns a question that it claims while it stops, and does not work on it', async () => {
    const worker = createWorker();
    const question = await ask('stall never');
    worker.stop();
    await worker.work('prepare');
    expect(answerer.asked).to.deep.equal([]);
    expect(await statusOf(question)).to.equal('new');
    expect(failures).to.deep.equal([]);
  });

  it('logs no failure for a question that its user cancels', async () => {
    const signals = stall();
    const worker = createWorker();
    const question = await ask('stall until cancelled');
    const work = worker.work('prepare');
    await eventually(() => signals.length === 1);
    await store.cancel(question.id, question.userId, new Date(NOW));
    await worker.renew();
    await work;
    expect(await statusOf(question)).to.equal('cancel');
    expect(failures).to.deep.equal([]);
  });

  it('reports a question that ends during the drain to its followers', async () => {
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      answerer.on('drain', async (question) => {
        resolve();
        await new Promise<void>((end) => {
          finish = end;
        });
        return proposeSql(question, 'SELECT broken FROM nothing');
      });
    });
    answerer.repair = async () => {
      throw new Error('no repair');
    };
    const explorer = new Explorer({ ...parts, answerer, queue: new InProcessQueue() });
    await explorer.start();
    const question = await ask('drain this');
    await explorer.ask({
      user: { id: await warehouse.createUser(`pausing-${users++}`), isTrusted: false },
      text: 'another',
      ignoreCache: true,
      now: new Date(NOW),
    });
    await begun;
    const followed = (async () => {
      const statuses: string[] = [];
      for await (const progress of explorer.follow(question.id, new AbortController().signal)) {
        statuses.push(progress.question.status);
      }
      return statuses;
    })();
    const closed = explorer.close(600_000);
    finish();
    await closed;
    const last = (await followed).at(-1);
    expect(last !== undefined && isFinal(last as Question['status'])).to.equal(true);
  });
});

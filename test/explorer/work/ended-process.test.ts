import { expect } from 'chai';
import type { StateStore } from '../../../accounts/state-store.js';
import type { Database } from '../../../engine/index.js';
import { Explorer, type ExplorerParts } from '../../../explorer/explorer.js';
import { Playground } from '../../../explorer/playground/playground.js';
import { askQuestion } from '../../../explorer/questions/ask-question.js';
import type { Question } from '../../../explorer/questions/question.js';
import { QuestionStore } from '../../../explorer/questions/question-store.js';
import { InProcessQueue } from '../../../explorer/work/in-process-queue.js';
import { QuestionChanges } from '../../../explorer/work/question-changes.js';
import { QuestionWorker } from '../../../explorer/work/question-worker.js';
import { openEngine } from '../../../server/open-engine.js';
import { TABLE_REFERENCE } from '../../../warehouse/table-reference.js';
import { NOW } from '../../service/demo-data.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import { ENDLESS_SQL, type ExplorerWarehouse, openExplorerWarehouse } from '../explorer-warehouse.js';
import { proposeSql, ScriptedAnswerer } from '../scripted-answerer.js';

const SQL = 'SELECT COUNT(*) AS repositories FROM github_repos';

/** The steps at which a process ends, and the result for its question in the next process. */
const STEPS = [
  { step: 'claimed', status: 'answer_generating', isAnswered: true, isAskedAgain: true },
  { step: 'generated', status: 'answer_generating', isAnswered: true, isAskedAgain: true },
  { step: 'rejected', status: 'sql_validating', isAnswered: true, isAskedAgain: true },
  { step: 'planned', status: 'sql_validating', isAnswered: true, isAskedAgain: true },
  { step: 'prepared', status: 'waiting', isAnswered: true, isAskedAgain: false },
  { step: 'running', status: 'running', isAnswered: false, isAskedAgain: false },
  { step: 'executed', status: 'running', isAnswered: false, isAskedAgain: false },
] as const;

type Step = (typeof STEPS)[number]['step'];

onBothDatabases('a question of a process that ended', (environment) => {
  let warehouse: ExplorerWarehouse;
  let untrusted: Database;
  let engine: ExplorerParts['engine'];
  let store: QuestionStore;
  let users = 0;
  const failures: unknown[] = [];
  before(async () => {
    warehouse = await openExplorerWarehouse(environment());
    untrusted = await warehouse.openPlayground();
    engine = await openEngine(warehouse.settings, warehouse.database);
    store = new QuestionStore(warehouse.database, warehouse.state);
  });
  after(() => warehouse.close());

  /** Returns the parts of a process that ends at this step: from then on, it does nothing and changes nothing. */
  const processUntil = (end: Step | undefined) => {
    let reached = () => {};
    const ended = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let isEnded = false;
    // The work of the ended process waits for this promise until the end of the test.
    let remove = () => {};
    const never = new Promise<never>((_resolve, reject) => {
      remove = () => reject(new Error('the test of this process is over'));
    });
    never.catch(() => {});
    const at = async (step: Step): Promise<void> => {
      if (step !== end) return;
      isEnded = true;
      reached();
      await never;
    };
    const state: StateStore = {
      transaction: (work) => (isEnded ? never : warehouse.state.transaction(work)),
      eraseDeleted: () => warehouse.state.eraseDeleted(),
    };
    const executed: string[] = [];
    const playground = new Playground(
      {
        ...{ name: untrusted.name, concurrency: untrusted.concurrency },
        prepare: (sql) => untrusted.prepare(sql),
        explain: async (...query) => {
          const plan = await untrusted.explain(...query);
          await at('planned');
          return plan;
        },
        query: async (...query) => {
          executed.push(query[0].sql);
          await at('running');
          const result = await untrusted.query(...query);
          await at('executed');
          return result;
        },
        ping: (timeoutMs) => untrusted.ping(timeoutMs),
        close: () => untrusted.close(),
      },
      TABLE_REFERENCE,
      600_000,
    );
    const answerer = new ScriptedAnswerer();
    const propose = async (question: string) => {
      await at('claimed');
      const proposal = proposeSql(
        question,
        question.startsWith('rejected') ? 'SELECT broken_name FROM github_repos' : SQL,
      );
      await at('generated');
      return proposal;
    };
    for (const { step } of STEPS) answerer.on(step, propose);
    const repair = answerer.repair.bind(answerer);
    answerer.repair = async (...request) => {
      await at('rejected');
      return { ...(await repair(...request)), sql: SQL };
    };
    const parts: ExplorerParts = {
      ...{ database: warehouse.database, state, answerer, playground, engine, queue: new InProcessQueue() },
      newestData: async () => new Date(NOW),
      clock: () => new Date(NOW),
      systemClock: () => new Date(NOW),
      isOnlyProcess: environment().DATABASE_URL === undefined,
      prepareMs: 600_000,
      onRejected: () => {},
      onFailure: (error) => isEnded || failures.push(error),
    };
    return { parts, at, ended, executed, answerer, remove };
  };
  const ask = async (text: string) => {
    const user = { id: await warehouse.createUser(`ended-${users++}`), isTrusted: false };
    return askQuestion(warehouse, { user, text, ignoreCache: true, now: new Date(NOW) });
  };
  const follow = async (explorer: Explorer, id: string) => {
    let last: Question | undefined;
    for await (const { question } of explorer.follow(id, new AbortController().signal)) last = question;
    return last;
  };

  for (const { step, status, isAnswered, isAskedAgain } of STEPS) {
    it(`${isAnswered ? 'is answered by the next process' : 'fails, and does not run twice'}, if it was ${step}`, async () => {
      const first = processUntil(step);
      const worker = new QuestionWorker({
        ...first.parts,
        store: new QuestionStore(warehouse.database, first.parts.state),
        changes: new QuestionChanges(),
      });
      const { id } = await ask(`${step} and ended`);
      const work = worker.work('prepare').then(() => first.at('prepared'));
      if (step === 'running' || step === 'executed') void work.then(() => worker.work('cheap')).catch(() => {});
      await first.ended;
      expect((await store.find(id))?.question.status).to.equal(status);
      // The lease of the claim is not renewed, so it expires. With a database file, there is only one process, which does not wait for
      // this.
      if (environment().DATABASE_URL !== undefined && status !== 'waiting') await store.renew(worker.claims(), -5_000);
      const next = processUntil(undefined);
      const explorer = new Explorer(next.parts);
      await explorer.start();
      const question = await follow(explorer, id);
      await explorer.close(0);
      first.remove();
      await work.catch(() => {});
      expect(question).to.include(
        isAnswered
          ? { status: 'success', querySQL: SQL }
          : { status: 'error', errorType: 'error-unknown', result: null },
      );
      expect(next.answerer.asked).to.have.length(isAskedAgain ? 1 : 0);
      expect([...first.executed, ...next.executed]).to.have.length(1);
      expect(failures).to.deep.equal([]);
    });
  }

  it('fails if its query ran when the process was stopped', async () => {
    const { parts, answerer, executed } = processUntil(undefined);
    answerer.on('endless', async (question) => proposeSql(question, ENDLESS_SQL));
    const explorer = new Explorer(parts);
    const { id } = await ask('endless and stopped');
    await explorer.start();
    await eventually(() => executed.length === 1);
    await explorer.close(0);
    const { status, error } = (await store.find(id))?.question ?? {};
    expect([status, error]).to.deep.equal([
      'error',
      'The service stopped while the query of this question ran. Ask the question again.',
    ]);
  });
});

import { setMaxListeners } from 'node:events';
import { expect } from 'chai';
import type { User } from '../../accounts/users.js';
import { answerQuestion } from '../../app-routes/explorer/answer.js';
import { STATUS_OF_ERROR } from '../../engine/http/problems/error-answers.js';
import { type Database, EngineError } from '../../engine/index.js';
import { Explorer, FOLLOWERS_PER_QUESTION, TooManyFollowersError } from '../../explorer/explorer.js';
import { Playground } from '../../explorer/playground/playground.js';
import { QuestionError } from '../../explorer/questions/error-types.js';
import { isFinal, type Question } from '../../explorer/questions/question.js';
import { InProcessQueue } from '../../explorer/work/in-process-queue.js';
import { RedisQueue } from '../../explorer/work/redis-queue.js';
import type { WorkQueue } from '../../explorer/work/work-queue.js';
import { openEngine } from '../../server/open-engine.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { NOW } from '../service/demo-data.js';
import { onServer } from '../services/mysql.js';
import { useRedis } from '../services/redis.js';
import { describeEmbedded } from '../services/server.js';
import { ENDLESS_SQL, type ExplorerWarehouse, openExplorerWarehouse } from './explorer-warehouse.js';
import { proposeDefinition, proposeSql, ScriptedAnswerer } from './scripted-answerer.js';

describeEmbedded('the explorer', () => {
  const explorer = useExplorer(
    () => ({}),
    () => new InProcessQueue(),
  );
  answerTests(explorer);
  workTests(explorer);
  ownTests(explorer);
});

onServer('the explorer', (environment) => {
  const explorer = useExplorer(environment, () => new InProcessQueue());
  answerTests(explorer);
  workTests(explorer);
});

// Only the order and the places of work depend on the queue.
describe('the explorer with Redis', () => {
  const redis = useRedis();
  const queue = () => new RedisQueue({ url: redis.url, namespace: 'test', onUnavailable: () => {} });
  workTests(useExplorer(() => ({}), queue));
});

const COUNT = 'SELECT COUNT(*) AS repositories FROM github_repos';
/** More users than the number of questions that a process answers at the same time. */
const USERS = 8;

/** Applies a short time limit only to the slow query, so that other queries do not exceed it on a busy machine. */
function stopsSlowQueries(database: Database): Database {
  return {
    ...{ name: database.name, concurrency: database.concurrency },
    prepare: (sql) => database.prepare(sql),
    query: (query, values, options) =>
      database.query(query, values, query.sql.includes('endless') ? { ...options, timeoutMs: 50 } : options),
    explain: (query, values, options) => database.explain(query, values, options),
    ping: (timeoutMs) => database.ping(timeoutMs),
    close: () => database.close(),
  };
}

/** The explorer of one suite. The members must only be used in tests. */
interface TestExplorer {
  readonly warehouse: ExplorerWarehouse;
  readonly explorer: Explorer;
  readonly playground: Playground;
  readonly answerer: ScriptedAnswerer;
  readonly failures: unknown[];
  ask(text: string, userId?: number): Promise<Question>;
  /** Follows a question until its end. */
  follow(question: Question): Promise<{ readonly statuses: readonly string[]; readonly question: Question }>;
  /** Asks a question and waits for its answer. */
  answer(text: string): Promise<Question>;
}

/** Starts an explorer for the calling suite. */
function useExplorer(environment: () => Readonly<Record<string, string>>, createQueue: () => WorkQueue): TestExplorer {
  let warehouse: ExplorerWarehouse;
  let explorer: Explorer;
  let playground: Playground;
  const answerer = new ScriptedAnswerer();
  const failures: unknown[] = [];
  let users = 0;
  before(async () => {
    warehouse = await openExplorerWarehouse(environment());
    const { database, state, settings } = warehouse;
    playground = new Playground(stopsSlowQueries(await warehouse.openPlayground()), TABLE_REFERENCE, 600_000);
    explorer = new Explorer({
      ...{ database, state, playground, answerer, queue: createQueue() },
      engine: await openEngine(settings, database),
      newestData: async () => new Date(NOW),
      clock: () => new Date(NOW),
      systemClock: () => new Date(NOW),
      isOnlyProcess: true,
      prepareMs: 600_000,
      onRejected: () => {},
      onFailure: (error) => failures.push(error),
    });
    await explorer.start();
  });
  after(async () => {
    await explorer.close(0);
    await warehouse.close();
  });

  const ask = async (text: string, userId?: number) => {
    const id = userId ?? (await warehouse.createUser(`asker-${users++}`));
    return explorer.ask({ user: { id, isTrusted: true }, text, ignoreCache: true, now: new Date(NOW) });
  };
  const follow = async ({ id }: Question) => {
    const statuses: string[] = [];
    let last: Question | undefined;
    for await (const { question } of explorer.follow(id, new AbortController().signal)) {
      statuses.push(question.status);
      last = question;
    }
    if (last === undefined || !isFinal(last.status)) throw new Error(`The question did not end: ${statuses}`);
    return { statuses, question: last };
  };
  const answer = async (text: string) => (await follow(await ask(text))).question;
  return {
    get warehouse() {
      return warehouse;
    },
    get explorer() {
      return explorer;
    },
    get playground() {
      return playground;
    },
    answerer,
    failures,
    ask,
    follow,
    answer,
  };
}

/** Defines the tests of answers, which depend on the database. */
function answerTests(test: TestExplorer): void {
  const { answerer, answer } = test;

  it('answers with SQL of a model: result, chart and times', async () => {
    answerer.on('count', async (question) => proposeSql(question, COUNT));
    const question = await answer('count the repositories');
    const [[repositories] = []] = (await test.playground.run(COUNT)).rows;
    expect(question).to.deep.include({
      status: 'success',
      engines: ['model'],
      definition: null,
      sqlCanAnswer: true,
      querySQL: COUNT,
      lane: 'cheap',
      chart: { chartName: 'NumberCard', title: 'count the repositories', value: 'repositories' },
      errorType: null,
      error: null,
    });
    expect(question.result).to.deep.equal({
      fields: [{ name: 'repositories', columnType: 'BIGINT' }],
      rows: [{ repositories: Number(repositories) }],
      truncated: false,
      notices: [],
      dataAsOf: new Date(NOW).toISOString(),
    });
    expect(question.plan).to.be.an('array').with.length.greaterThan(0);
    for (const time of [question.requestedAt, question.executedAt, question.finishedAt]) {
      expect(Date.parse(time ?? '')).to.be.at.least(Date.parse(question.createdAt));
    }
  });

  it('answers with a definition, whose rows and notices equal those of its endpoint', async () => {
    answerer.on('list', async () => proposeDefinition('list-collections', {}));
    const question = await answer('list collections');
    expect(question).to.deep.include({
      status: 'success',
      engines: ['catalogue'],
      definition: { name: 'list-collections', parameters: {} },
      lane: 'cheap',
      plan: null,
    });
    expect(question.result?.rows[0]).to.have.keys(['id', 'name']);
    const again = await test.playground.run(question.querySQL ?? '');
    expect(again.rows.map(([id]) => Number(id))).to.deep.equal(question.result?.rows.map(({ id }) => Number(id)));
  });

  it('ends a query at its time limit, and a caller who waits for it gets 504', async () => {
    answerer.on('slow', async (question) => proposeSql(question, ENDLESS_SQL));
    const caller = { id: await test.warehouse.createUser('slow'), isTrusted: true } as User;
    const asked = { question: 'slow query', ignoreCache: true, caller, now: new Date(NOW) };
    const signal = new AbortController().signal;
    const error = await answerQuestion(test.explorer, 600_000, { ...asked, signal }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(EngineError).and.include({ code: 'query_timeout' });
    expect(STATUS_OF_ERROR.query_timeout).to.equal(504);
    expect(String(error)).to.contain('The query was stopped at its time limit');
  });
}

/** Defines the tests of work on questions, which depend on the database and on the queue. */
function workTests(test: TestExplorer): void {
  const { answerer, ask, follow } = test;

  it('answers the questions of many users, each once', async () => {
    answerer.on('many', async (question) => proposeSql(question, COUNT));
    const before = answerer.asked.length;
    const ids = await Promise.all(
      Array.from({ length: USERS }, (_, index) => test.warehouse.createUser(`one-of-many-${index}`)),
    );
    const asked = await Promise.all(ids.flatMap((id) => [ask(`many ${id} first`, id), ask(`many ${id} second`, id)]));
    const ended = await Promise.all(asked.map(follow));
    expect(new Set(ended.map(({ question }) => question.status))).to.deep.equal(new Set(['success']));
    expect(answerer.asked.length - before).to.equal(2 * USERS);
    expect(new Set(answerer.asked.slice(before)).size).to.equal(2 * USERS);
  });

  it('cancels a question that is being prepared, and stops the work on it', async () => {
    let isAborted = false;
    const begun = new Promise<void>((resolve) => {
      answerer.on('cancel', (_question, { signal }) => {
        resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            isAborted = true;
            reject(signal.reason);
          });
        });
      });
    });
    const userId = await test.warehouse.createUser('canceller');
    const asked = await ask('cancel me', userId);
    await begun;
    expect((await test.explorer.cancel(asked.id, userId))?.status).to.equal('cancel');
    expect((await follow(asked)).question.status).to.equal('cancel');
    expect(isAborted).to.equal(true);
  });
}

/** Defines the tests of decisions of the explorer, which are the same with each database and queue. */
function ownTests(test: TestExplorer): void {
  const { answerer, failures, ask, follow, answer } = test;

  it('repairs rejected SQL once', async () => {
    answerer.on('repair', async (question) => proposeSql(question, 'SELECT broken_stars FROM github_repos LIMIT 1'));
    const question = await answer('repair this');
    expect(question).to.deep.include({ status: 'success', querySQL: 'SELECT stars FROM github_repos LIMIT 1' });
    expect(answerer.repairs).to.have.length(1);
    expect(answerer.repairs[0]).to.contain('broken_stars');
  });

  it('fails with the error type of each step', async () => {
    const fail = (type: 'error-answer-generate' | 'error-answer-parse') => async () => {
      throw new QuestionError(type, `message of ${type}`);
    };
    answerer
      .on('generate', fail('error-answer-generate'))
      .on('parse', fail('error-answer-parse'))
      .on('validate', async (question) => proposeSql(question, 'SELECT email FROM sys_users'))
      .on('empty', async (question) => proposeSql(question, 'SELECT repo_id FROM github_repos WHERE 1 = 0'))
      .on('crash', async () => {
        throw new Error('a secret detail');
      });
    const types = new Map<string, string | null>();
    for (const text of ['nothing', 'generate', 'parse', 'validate', 'empty', 'crash']) {
      const { status, errorType, error } = await answer(text);
      expect(status, text).to.equal('error');
      expect(error).to.be.a('string').that.does.not.contain('secret');
      types.set(text, errorType);
    }
    expect([...types]).to.deep.equal([
      ['nothing', 'error-sql-can-not-answer'],
      ['generate', 'error-answer-generate'],
      ['parse', 'error-answer-parse'],
      ['validate', 'error-validate-sql'],
      ['empty', 'error-empty-result'],
      ['crash', 'error-unknown'],
    ]);
    expect(failures.map(String)).to.include('Error: a secret detail');
  });

  it('keeps the rows when the chart of a model does not fit them', async () => {
    const chart = { chartName: 'PieChart', title: 'Languages', label: 'language', value: 'repositories' };
    answerer.on('pie', async (question) => proposeSql(question, COUNT, chart));
    const question = await answer('pie chart');
    expect(question).to.deep.include({ status: 'success', errorType: 'error-validate-chart' });
    expect(question.chart?.chartName).to.equal('NumberCard');
    expect(question.error).to.contain('language');
    expect(question.result?.rows).to.have.length(1);
  });

  it('limits the followers of one question, so that others can follow theirs', async () => {
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    answerer.on('followed', (_question, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const userId = await test.warehouse.createUser('followed');
    const asked = await ask('followed by many', userId);
    const followers = Array.from({ length: FOLLOWERS_PER_QUESTION }, () =>
      test.explorer.follow(asked.id, ending.signal),
    );
    await Promise.all(followers.map((follower) => follower.next()));
    const more = await test.explorer
      .follow(asked.id, ending.signal)
      .next()
      .catch((error: unknown) => error);
    expect(more).to.be.instanceOf(TooManyFollowersError);
    expect(String(more)).to.contain(`${FOLLOWERS_PER_QUESTION} callers already follow this question`);
    expect((await answer('list collections')).status).to.equal('success');
    await test.explorer.cancel(asked.id, userId);
    await Promise.all(followers.map((follower) => follower.next()));
    ending.abort();
    await Promise.all(followers.map((follower) => follower.return(undefined)));
    expect((await follow(asked)).question.status).to.equal('cancel');
  });
}

import { expect } from 'chai';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import { askQuestion, QuestionTooLongError, TooManyQuestionsError } from '../../explorer/questions/ask-question.js';
import type { Question } from '../../explorer/questions/question.js';
import { type Claim, LostQuestionError, QuestionStore } from '../../explorer/questions/question-store.js';
import { onBothDatabases } from '../services/mysql.js';
import { type ExplorerWarehouse, openExplorerWarehouse } from './explorer-warehouse.js';
import { seedQuestion } from './social/explorer-app.js';

onBothDatabases('the stored questions', storedQuestions);

const NOW = new Date('2026-06-30T12:00:00.250Z');
const LEASE_MS = 30_000;
const RESULT = {
  fields: [{ name: 'stars', columnType: 'BIGINT' }],
  rows: [{ stars: 12 }, { stars: '9007199254740993' }, { stars: null }],
  truncated: false,
  notices: ['quote " and \\ and 星'],
  dataAsOf: '2026-06-30T11:00:00.000Z',
};

function storedQuestions(environment: () => Record<string, string>): void {
  let warehouse: ExplorerWarehouse;
  let store: QuestionStore;
  let users = 0;
  before(async () => {
    warehouse = await openExplorerWarehouse(environment());
    store = new QuestionStore(warehouse.database, warehouse.state);
  });
  after(() => warehouse.close());
  afterEach(async () => {
    await warehouse.state.transaction((tables) => tables.run('DELETE FROM explorer_questions'));
  });

  const newUser = () => warehouse.createUser(`user-${users++}`);
  const ask = (userId: number, text: string, { at = NOW, isTrusted = false, ignoreCache = false } = {}) =>
    askQuestion(warehouse, { user: { id: userId, isTrusted }, text, ignoreCache, now: at });
  const claim = async (worker: string, at = NOW) => (await store.claimNext('prepare', worker, at, LEASE_MS)) as Claim;
  const endLease = (id: string) => store.renew([id], -5_000);
  const finish = async (question: Question, at = NOW) => {
    const change = { status: 'success', result: RESULT, errorType: null, error: null } as const;
    const claimed = await claim('worker', at);
    expect(claimed.question.id).to.equal(question.id);
    const answered = await store.change(claimed, change, at);
    await store.countAnswer(answered);
    return answered;
  };
  const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('contain a new question with folded white space, and nothing about its answer', async () => {
    const userId = await newUser();
    const asked = await ask(userId, '  Who \n opened\tthe most issues?  ');
    const stored = await store.find(asked.id);
    expect(stored?.question).to.deep.equal(asked);
    expect(asked).to.deep.include({
      userId,
      status: 'new',
      title: 'Who opened the most issues?',
      createdAt: '2026-06-30T12:00:00.250Z',
      lane: null,
      result: null,
      hitCache: false,
    });
    const entries = await readNewestAuditEntries(warehouse.database, 1_000);
    expect(entries.filter(({ subject }) => subject === `question ${asked.id}`)).to.deep.equal([
      {
        at: '2026-06-30T12:00:00Z',
        actor: `user ${userId}`,
        action: 'ask',
        subject: `question ${asked.id}`,
        detail: '',
      },
    ]);
  });

  it('keep results exactly, also wide numbers and quotes', async () => {
    const asked = await ask(await newUser(), 'exact?');
    await finish(asked);
    expect((await store.find(asked.id))?.question.result).to.deep.equal(RESULT);
  });

  it('accept two questions in progress of one user, however many arrive at once', async () => {
    const userId = await newUser();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(userId, `question ${index}`).catch((error: unknown) => error)),
    );
    const rejected = results.filter((result) => result instanceof TooManyQuestionsError);
    expect([rejected.length, results.length - rejected.length]).to.deep.equal([18, 2]);
    const [[count] = []] = await readStateRows(
      warehouse.database,
      'SELECT COUNT(*) FROM explorer_questions WHERE user_id = :p1',
      [userId],
    );
    expect(Number(count)).to.equal(2);
  });

  it('accept 15 questions per hour of a user and 200 of a trusted user', async () => {
    const [userId, trustedId] = [await newUser(), await newUser()];
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
    const askAndFinish = async (id: number, minutes: number, isTrusted: boolean) =>
      finish(await ask(id, `question ${id} ${minutes}`, { at: at(minutes), isTrusted }), at(minutes));
    for (let minutes = 0; minutes < 14; minutes++) {
      for (const id of [userId, trustedId]) {
        await seedQuestion(warehouse.state, { userId: id, createdAt: at(minutes), finishedAt: at(minutes) });
      }
    }
    await askAndFinish(userId, 14, false);
    await askAndFinish(trustedId, 14, true);
    const rejected = await errorOf(ask(userId, 'one more', { at: at(15) }));
    expect(rejected).to.be.instanceOf(TooManyQuestionsError);
    expect(rejected).to.include({
      message: 'You may ask 15 questions per hour; retry in 2701 s.',
      retryAfterSeconds: 2701,
    });
    await askAndFinish(trustedId, 15, true);
    await askAndFinish(userId, 61, false);
  });

  it('reject a question of 513 characters, and accept one of 512 characters outside the BMP', async () => {
    const userId = await newUser();
    expect(await errorOf(ask(userId, 'x'.repeat(513)))).to.be.instanceOf(QuestionTooLongError);
    const asked = await ask(userId, '\u{1F600}'.repeat(512));
    expect((await store.find(asked.id))?.question.title).to.equal('\u{1F600}'.repeat(512));
  });

  it('give the answer of an equal question for 7 days, with its own times', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const answered = await finish(await ask(first, 'the same question'));
    const later = new Date(NOW.getTime() + 3 * 86_400_000);
    const hit = await ask(second, ' the  same question', { at: later });
    expect(hit).to.deep.include({ status: 'success', hitCache: true, userId: second, result: RESULT });
    expect([hit.executedAt, hit.finishedAt]).to.deep.equal([answered.executedAt, later.toISOString()]);
    expect(hit.id).not.to.equal(answered.id);
    expect((await ask(second, 'the same question', { at: later, ignoreCache: true })).status).to.equal('new');
    expect((await ask(second, 'The same question', { at: later })).status).to.equal('new');
    const tooLate = new Date(NOW.getTime() + 8 * 86_400_000);
    expect((await ask(first, 'the same question', { at: tooLate })).status).to.equal('new');
  });

  it('count each user once who gets an answer to a question', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const answered = await finish(await ask(first, 'popular?'));
    await ask(first, 'popular?');
    await ask(second, 'popular?');
    await finish(await ask(second, 'popular?', { ignoreCache: true }));
    const rows = await readStateRows(
      warehouse.database,
      'SELECT asked FROM explorer_popular_questions WHERE hash = :p1',
      [answered.hash],
    );
    expect(rows.map(([asked]) => Number(asked))).to.deep.equal([2]);
  });

  it('are each claimed once by concurrent workers, in the order in which they were asked', async () => {
    const asked: string[] = [];
    for (let index = 0; index < 10; index++) asked.push((await ask(await newUser(), `claimed ${index}`)).id);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.claimNext('prepare', `worker ${index}`, NOW, LEASE_MS)),
    );
    const claimed = claims.flatMap((one) => one?.question.id ?? []);
    expect([...claimed].sort()).to.deep.equal([...asked].sort());
  });

  it('report how many questions of their queue precede them', async () => {
    const asked: string[] = [];
    for (let index = 0; index < 4; index++) asked.push((await ask(await newUser(), `waiting ${index}`)).id);
    const preceding = async () =>
      Promise.all(
        asked.map(async (id) => {
          const stored = await store.find(id);
          return stored && store.countPreceding(stored);
        }),
      );
    expect(await preceding()).to.deep.equal([0, 1, 2, 3]);
    const claimed = await claim('worker');
    expect(await preceding()).to.deep.equal([0, 0, 1, 2]);
    await store.change(claimed, { status: 'waiting', lane: 'cheap' }, NOW);
    expect(await preceding()).to.deep.equal([0, 0, 1, 2]);
    expect([await store.countWaiting('prepare'), await store.countWaiting('cheap')]).to.deep.equal([3, 1]);
  });

  it('wait again when the lease of their worker ends, at most three times', async () => {
    const asked = await ask(await newUser(), 'recovered');
    const statuses: string[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      await claim('stopped worker');
      // Leases use the clock of the database, so the clock of the recovering process has no influence.
      expect(await store.recover(new Date('2099-01-01T00:00:00Z'))).to.deep.equal([]);
      await endLease('stopped worker');
      expect(await store.recover(NOW, { ownClaims: ['stopped worker'] })).to.deep.equal([]);
      const recovered = await store.recover(new Date('1999-01-01T00:00:00Z'));
      expect(recovered.map(({ id }) => id)).to.deep.equal([asked.id]);
      statuses.push(recovered[0]?.status ?? '');
    }
    expect(statuses).to.deep.equal(['new', 'new', 'error']);
  });

  it('fail when the worker of a running query stops, so that the query does not run twice', async () => {
    const asked = await ask(await newUser(), 'running');
    await store.change(await claim('worker'), { status: 'waiting', lane: 'expensive' }, NOW);
    await store.claimNext('expensive', 'stopped worker', NOW, LEASE_MS);
    const recovered = await store.recover(NOW, { isOnlyProcess: true });
    expect(recovered).to.have.length(1);
    expect(recovered[0]).to.deep.include({ id: asked.id, status: 'error', errorType: 'error-unknown' });
    expect(await store.claimNext('expensive', 'next worker', NOW, LEASE_MS)).to.equal(undefined);
  });

  it('ignore changes by a worker that lost its claim', async () => {
    await ask(await newUser(), 'lost');
    const first = await claim('first');
    await endLease('first');
    await store.recover(NOW);
    const change = { status: 'success', result: RESULT } as const;
    expect(await errorOf(store.change(first, change, NOW))).to.be.instanceOf(LostQuestionError);
    await claim('second');
    expect(await errorOf(store.change(first, change, NOW))).to.be.instanceOf(LostQuestionError);
    expect(await store.renew(['second'], LEASE_MS)).to.deep.equal(['second']);
    expect(await store.renew(['first'], LEASE_MS)).to.deep.equal([]);
  });

  it('are cancelled by their user, unless they are final', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    const asked = await ask(userId, 'cancelled');
    const claimed = await claim('worker');
    expect(await store.cancel(asked.id, other, NOW)).to.equal(undefined);
    expect((await store.cancel(asked.id, userId, NOW))?.status).to.equal('cancel');
    expect(await errorOf(store.change(claimed, { status: 'success' }, NOW))).to.be.instanceOf(LostQuestionError);
    expect((await store.find(asked.id))?.question).to.deep.include({ status: 'cancel', finishedAt: NOW.toISOString() });
    const answered = await finish(await ask(userId, 'answered'));
    expect((await store.cancel(answered.id, userId, NOW))?.status).to.equal('success');
  });
}

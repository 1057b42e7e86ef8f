import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { EmbeddedState } from '../../../accounts/embedded-state.js';
import { MysqlState } from '../../../accounts/mysql-state.js';
import type { StateStore } from '../../../accounts/state-store.js';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { ModelError } from '../../../explorer/model/model.js';
import { TokenBudget } from '../../../explorer/model/token-budget.js';
import { migrate } from '../../../warehouse/migrate.js';
import { onBothDatabases } from '../../services/mysql.js';
import { openTestStore } from '../../warehouse/test-store.js';
import { type ModelServer, startModelServer } from '../model-server.js';
import { ANSWER, createTestModel, failureOf, request } from './ask-model.js';

const USED_UP = 'The language model has a limit of 1000 tokens per day (UTC), and too few are left today.';

onBothDatabases('the token budget', (database) => {
  let folder: string;
  let test: Awaited<ReturnType<typeof openTestStore>>;
  /** The state stores of two processes on a server. A database file has only one process. */
  let states: readonly StateStore[];
  let closeStates: () => Promise<unknown>;
  let now: Date;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'token-budget-'));
    mkdirSync(join(folder, 'staging'));
    const url = database().DATABASE_URL;
    test = await openTestStore(folder, url);
    await migrate(test.store);
    if (url === undefined) {
      const state = new EmbeddedState(test.database as EmbeddedDatabase);
      states = [state, state];
      closeStates = async () => undefined;
    } else {
      const servers = [new MysqlState({ url, timeoutMs: 30_000 }), new MysqlState({ url, timeoutMs: 30_000 })];
      states = servers;
      closeStates = () => Promise.all(servers.map((state) => state.close()));
    }
  });
  beforeEach(async () => {
    now = new Date('2026-03-01T22:00:00Z');
    await states[0]?.transaction((tables) => tables.run('DELETE FROM explorer_model_tokens'));
  });
  after(async () => {
    await closeStates();
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const budgets = (tokensPerDay: number) =>
    states.map((state) => new TokenBudget(state, { tokensPerDay, now: () => now }));
  const oneBudget = (tokensPerDay: number) => budgets(tokensPerDay)[0] as TokenBudget;
  const stored = () =>
    states[0]?.transaction((tables) => tables.rows('SELECT CAST(day AS CHAR), tokens FROM explorer_model_tokens'));

  it('is exact for concurrent requests of several processes, and settles the used tokens', async () => {
    const both = budgets(1_000);
    const attempts = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => (both[index % 2] as TokenBudget).reserve(70)),
    );
    const reserved = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    const failures = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason as unknown] : []));
    expect([reserved.length, failures.length]).to.deep.equal([14, 26]);
    for (const failure of failures) expect(failure).to.be.instanceOf(ModelError).with.property('message', USED_UP);
    await Promise.all(reserved.map((reservation, index) => reservation.settle(index)));
    expect((await stored())?.map((row) => row.map(String))).to.deep.equal([['2026-03-01', '91']]);
  });

  it('states when the next day begins, and counts each UTC day separately', async () => {
    const budget = oneBudget(1_000);
    const late = await budget.reserve(600);
    const { failure, details } = await failureOf(budget.reserve(401));
    expect([failure, details.retryAfterMs]).to.deep.equal(['budget_used_up', 2 * 3_600_000]);
    now = new Date('2026-03-02T00:00:00Z');
    await budget.reserve(1_000);
    await late.settle(100);
    const rows = (await stored())?.map((row) => row.map(String));
    expect(rows).to.have.deep.members([
      ['2026-03-01', '100'],
      ['2026-03-02', '1000'],
    ]);
  });

  it('has no limit with 0', async () => {
    const budget = oneBudget(0);
    await Promise.all(Array.from({ length: 3 }, () => budget.reserve(1_000_000_000)));
    expect((await stored())?.map(([, tokens]) => Number(tokens))).to.deep.equal([3_000_000_000]);
  });

  describe('of a model', () => {
    let server: ModelServer;
    beforeEach(async () => {
      server = await startModelServer();
    });
    afterEach(() => server.close());
    const tokens = async () => Number((await stored())?.[0]?.[1]);

    it('counts what the server reports, also for an answer that is asked again', async () => {
      const model = createTestModel(server.url, { budget: oneBudget(100_000) });
      server.reply({ answer: 'nonsense', usage: { prompt_tokens: 40, completion_tokens: 2 } });
      server.reply({ answer: ANSWER, usage: { prompt_tokens: 50, completion_tokens: 8 } });
      expect((await model.ask(request())).tokens).to.equal(100);
      expect(await tokens()).to.equal(100);
    });

    it('counts nothing for a request that the server did not answer, and the received part of a partial answer', async () => {
      const model = createTestModel(server.url, { budget: oneBudget(100_000), limits: { attempts: 1 } });
      for (const status of [401, 429, 500]) {
        server.reply({ status });
        await failureOf(model.ask(request()));
        expect(await tokens()).to.equal(0);
      }
      server.reply({ answer: 'x'.repeat(600), pieceLength: 300, middle: 'disconnect' });
      const { details } = await failureOf(model.ask(request()));
      expect(await tokens()).to.equal(details.tokens);
      expect(details.tokens).to.be.within(100, 250);
    });

    it('rejects a request before it is sent if too few tokens are left', async () => {
      const model = createTestModel(server.url, { budget: oneBudget(1_000) });
      const { failure, message } = await failureOf(model.ask(request()));
      expect([failure, message]).to.deep.equal(['budget_used_up', USED_UP]);
      expect(server.requests).to.deep.equal([]);
    });
  });
});

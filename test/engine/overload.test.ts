import { expect } from 'chai';
import { createQueryRunner, type QueryRunner } from '../../engine/answers/queries/query-runner.js';
import { Deadline, withDeadline } from '../../engine/databases/interface/deadline.js';
import { timeoutError } from '../../engine/databases/interface/errors.js';
import type { EndpointDefinition } from '../../engine/index.js';
import { EngineError, type EngineEvent } from '../../engine/index.js';
import { eventually } from '../services/eventually.js';
import { definitionOf, endpointOf } from './fixtures.js';

const failUnavailable = () => Promise.reject(new EngineError('database_unavailable', 'unavailable'));
const succeed = () => Promise.resolve('rows');
/** A time that is longer than any test. */
const NEVER_MS = 1e9;
const TEN_MINUTES = 600_000;
const hang = () => new Promise<string>(() => {});

type Run = <Result>(
  definition: EndpointDefinition,
  signal: AbortSignal | undefined,
  query: (deadline: Deadline) => Promise<Result>,
) => Promise<Result>;

/** A deadline with a sixtieth of its time left, as for a request that has waited in a queue. */
class DeadlineNearItsEnd extends Deadline {
  override get remainingMs(): number {
    return this.timeoutMs / 60;
  }
}

describe('the query runner', () => {
  let run: QueryRunner['run'];
  /** Runs a query with the time limit of its definition. */
  const guard: Run = (definition, signal, query) =>
    withDeadline({ timeoutMs: definition.limits.timeoutMs, signal }, (deadline) =>
      run(definition, deadline, () => query(deadline)),
    );
  let events: EngineEvent[];

  beforeEach(() => {
    events = [];
    start(NEVER_MS);
  });

  const start = (retryMs: number) => {
    const observe = (event: EngineEvent) => event.kind === 'queried' || events.push(event);
    ({ run } = createQueryRunner({ concurrency: 2, observe, retryMs }));
  };

  it('runs two queries of an endpoint concurrently and the others in the order of their requests', async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    };
    const loaves = await definition();
    const results = ['a', 'b', 'c', 'd'].map((name) => guard(loaves, undefined, ask(name)));
    expect(started).to.deep.equal(['a', 'b']);
    expect(await guard(await definition(), undefined, succeed), 'another endpoint').to.equal('rows');
    ends[1]?.();
    await eventually(() => started.length === 3);
    expect(started).to.deep.equal(['a', 'b', 'c']);
    ends[0]?.();
    await eventually(() => started.length === 4);
    for (const end of ends) end();
    expect(await Promise.all(results)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('starts a waiting query before requests that come at the moment when another query ends', async () => {
    ({ run } = createQueryRunner({ concurrency: 1, observe: () => {} }));
    const started: string[] = [];
    const ask = (name: string, result: Promise<void> = Promise.resolve()) => {
      const query = async () => {
        started.push(name);
        await result;
      };
      return guard(loaves, undefined, query);
    };
    const loaves = await definition();
    let end = () => {};
    const running = ask('running', new Promise((resolve) => (end = resolve)));
    const results = [running, ask('waiting')];
    end();
    for (let time = 0; time < 50; time += 1) {
      results.push(ask(`later ${time}`));
      await null;
    }
    await Promise.all(results);
    const later = Array.from({ length: 50 }, (_, time) => `later ${time}`);
    expect(started).to.deep.equal(['running', 'waiting', ...later]);
  });

  it('runs as many concurrent queries as the definition allows', async () => {
    const started: number[] = [];
    const loaves = await definition('{ concurrency: 3 }');
    for (let number = 0; number < 5; number++) {
      void guard(loaves, undefined, () => {
        started.push(number);
        return hang();
      }).catch(() => {});
    }
    expect(started).to.deep.equal([0, 1, 2]);
  });

  it('answers every caller before its deadline, also the callers in the queue', async () => {
    const loaves = await definition('{ timeout: 50ms }');
    const answers = await Promise.all([1, 2, 3].map(() => failure(guard(loaves, undefined, hang))));
    expect(answers).to.deep.equal([
      'query_timeout: The query was stopped at its time limit of 50 ms.',
      'query_timeout: The query was stopped at its time limit of 50 ms.',
      'overloaded: The query of toy could not start within 50 ms: too many requests are running.',
    ]);
  });

  it('gives a queued query the remaining time, and reports the whole time limit to its caller', async () => {
    const loaves = await definition('{ concurrency: 1, timeout: 10m }');
    let end = () => {};
    const first = guard(loaves, undefined, () => new Promise<void>((resolve) => (end = resolve)));
    const second = failure(guard(loaves, undefined, ({ remainingMs }) => Promise.reject(timeoutError(remainingMs))));
    let given = 0;
    const third = guard(loaves, undefined, async ({ remainingMs }) => {
      given = remainingMs;
    });
    const later = new Deadline({ timeoutMs: TEN_MINUTES });
    await eventually(() => later.remainingMs < TEN_MINUTES);
    later.end();
    end();
    await Promise.all([first, third]);
    expect(given).to.be.above(0).and.below(TEN_MINUTES);
    expect(await second).to.equal(`query_timeout: The query was stopped at its time limit of ${TEN_MINUTES} ms.`);
  });

  it('rejects requests immediately if too many wait', async () => {
    const loaves = await definition();
    const waiting = Array.from({ length: 1002 }, () => failure(guard(loaves, undefined, hang)));
    expect(await failure(guard(loaves, undefined, succeed))).to.equal(
      'overloaded: Too many requests are waiting for toy.',
    );
    expect(waiting).to.have.length(1002);
  });

  it('releases the request of a client that disconnects, queued or running', async () => {
    const loaves = await definition();
    const callers = [1, 2, 3].map(() => new AbortController());
    const answers = callers.map(({ signal }) => failure(guard(loaves, signal, hang)));
    for (const caller of callers) caller.abort();
    const gone = 'query_cancelled: The query was cancelled because the client disconnected.';
    expect(await Promise.all(answers)).to.deep.equal([gone, gone, gone]);
  });

  it('gives the slot of a running query to the next one, also if the first of the queue has gone', async () => {
    const loaves = await definition();
    const ends: (() => void)[] = [];
    const started = () => new Promise<string>((resolve) => ends.push(() => resolve('ended')));
    const running = [guard(loaves, undefined, started), guard(loaves, undefined, started)];
    const caller = new AbortController();
    const gone = failure(guard(loaves, caller.signal, hang));
    caller.abort();
    await gone;
    for (const end of ends) end();
    expect(await Promise.all(running)).to.deep.equal(['ended', 'ended']);
    const later = [guard(loaves, undefined, succeed), guard(loaves, undefined, succeed)];
    expect(await Promise.all(later)).to.deep.equal(['rows', 'rows']);
  });

  it('rejects queries for a time while the database is unavailable', async () => {
    const [loaves, ovens] = [await definition(), await definition()];
    let asked = 0;
    const ask = (answer: () => Promise<string>) => () => {
      asked++;
      return answer();
    };
    for (let time = 0; time < 5; time++) {
      expect(await failure(guard(loaves, undefined, ask(failUnavailable)))).to.equal(
        'database_unavailable: unavailable',
      );
    }
    const rejected = 'database_unavailable: The database is unavailable; the service retries every second.';
    expect(await failure(guard(ovens, undefined, ask(succeed)))).to.equal(rejected);
    expect([asked, events.map(({ kind }) => kind)]).to.deep.equal([5, ['breaker_opened']]);
  });

  it('tries a query after this time, and reports when the database becomes unavailable and available', async () => {
    start(0);
    const loaves = await definition();
    for (let time = 0; time < 7; time++) await failure(guard(loaves, undefined, failUnavailable));
    expect(events.map(({ kind }) => kind)).to.deep.equal(['breaker_opened', 'breaker_opened', 'breaker_opened']);
    expect(await guard(loaves, undefined, succeed)).to.equal('rows');
    expect(events.at(-1)?.kind).to.equal('breaker_closed');
  });

  it('keeps the circuit breaker open if a queued query does not start because its time is over', async () => {
    start(0);
    const [loaves, ovens] = [await definition('{ concurrency: 1, timeout: 60s }'), await definition()];
    let end = (_name: string) => {};
    const first = guard(loaves, undefined, () => new Promise<string>((resolve) => (end = resolve)));
    const deadline = new DeadlineNearItsEnd({ timeoutMs: 60_000 });
    const late = failure(run(loaves, deadline, succeed));
    for (let time = 0; time < 5; time++) await failure(guard(ovens, undefined, failUnavailable));
    end('first');
    expect([await first, await late]).to.deep.equal([
      'first',
      'overloaded: The query of toy could not start within 60000 ms: too many requests are running.',
    ]);
    expect(events.map(({ kind }) => kind)).to.deep.equal(['breaker_opened']);
    deadline.end();
  });

  it('does not open the circuit breaker for slow, wrong, rejected or cancelled queries', async () => {
    const loaves = await definition();
    for (const code of ['query_timeout', 'query_failed', 'overloaded', 'query_cancelled'] as const) {
      for (let time = 0; time < 10; time++) {
        await failure(guard(loaves, undefined, () => Promise.reject(new EngineError(code, 'so'))));
      }
    }
    expect(await guard(loaves, undefined, succeed)).to.equal('rows');
    expect(events).to.deep.equal([]);
  });
});

async function definition(limits = '{ timeout: 10s }') {
  const endpoint = await endpointOf(definitionOf('SELECT l.id FROM loaves l', '', `limits: ${limits}`));
  return endpoint.definition;
}

/** Returns the result of the work, or the code and message of its error. */
function failure(work: Promise<string>): Promise<string> {
  return work.catch((error: EngineError) => `${error.code}: ${error.message}`);
}

import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen, TaskCancelledError } from 'cockatiel';
import type { Database } from '../../databases/interface/database.js';
import type { Deadline } from '../../databases/interface/deadline.js';
import { EngineError, timeoutError } from '../../databases/interface/errors.js';
import type { EndpointDefinition } from '../../definitions/definition.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import type { EndedQuery, Observe, QueryLoad } from './events.js';
import type { PassedRows } from './passed-rows.js';
import { slowAtLimit } from './stalled-streams.js';

export interface QueryRunnerOptions {
  /** The maximum number of concurrent queries of one endpoint, unless its definition sets a number. */
  readonly concurrency: number;
  readonly observe: Observe;
  /** The time until the next query while the database is unavailable. Default: a second. */
  readonly retryMs?: number;
}

export type QueryTimes = Pick<EndedQuery, 'waitMs' | 'ms'>;

/** The facts about a query that are reported to the observer. */
export interface QuerySource<Result> {
  readonly parameters?: ParameterValues | undefined;
  readonly requestId?: string | undefined;
  /** The number of rows of a result. */
  readonly rowsOf?: (result: Result) => number;
  /** The number of rows that a streaming query has passed on so far, and how long it waited for the receiver. */
  readonly passed?: Pick<PassedRows, 'rows' | 'receiverMs' | 'waitingMs'>;
  /** Called with the times of the query when it has ended or failed. */
  readonly onEnd?: (times: QueryTimes) => void;
}

export interface QueryRunner {
  /** Runs a query of an endpoint, or rejects it. See `createQueryRunner`. */
  run<Result>(
    definition: EndpointDefinition,
    deadline: Deadline,
    query: () => Promise<Result>,
    source?: QuerySource<Result>,
  ): Promise<Result>;
  readonly load: QueryLoad;
  /** Returns the number of queries of an endpoint that wait because of its concurrency limit. */
  waiting(definition: EndpointDefinition): number;
}

/**
 * Returns the number of connections that one endpoint can use. The number is two thirds of all connections, so that a
 * slow endpoint leaves some connections for other endpoints.
 */
export function shareOf({ concurrency }: Pick<Database, 'concurrency'>): number {
  return Math.max(1, Math.min(Math.ceil((concurrency * 2) / 3), concurrency - 1));
}

/**
 * Protects the database and its callers. Each endpoint has a limit of concurrent queries, so that a slow endpoint leaves connections for
 * all other endpoints. Each caller gets an answer or an error before its deadline; the time in the queue counts too. While the database is
 * unavailable, a circuit breaker rejects queries immediately and tries one query per second.
 */
export function createQueryRunner({ concurrency, observe, retryMs = RETRY_MS }: QueryRunnerOptions): QueryRunner {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: retryMs,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  });
  breaker.onBreak((reason) => observe({ kind: 'breaker_opened', cause: 'error' in reason ? reason.error : undefined }));
  breaker.onReset(() => observe({ kind: 'breaker_closed' }));
  const slots = new WeakMap<EndpointDefinition, Slots>();

  const slotsOf = (definition: EndpointDefinition) => {
    const known = slots.get(definition);
    if (known !== undefined) return known;
    const created = new Slots({
      count: definition.limits.concurrency ?? concurrency,
      maxWaiting: MAX_QUEUED,
      onFull: () => new EngineError('overloaded', `Too many requests are waiting for ${definition.name}.`),
    });
    slots.set(definition, created);
    return created;
  };

  const load = { waiting: 0, running: 0 };
  const run: QueryRunner['run'] = async (definition, deadline, query, source = {}) => {
    const timing = new QueryTiming(load);
    const start = async () => {
      // This check runs outside of the circuit breaker, which would count its error as a response of the database.
      if (deadline.signal?.aborted || deadline.remainingMs < deadline.timeoutMs * MIN_REMAINING)
        throw new TaskCancelledError();
      return breaker.execute(() => {
        timing.start();
        return query();
      });
    };
    const own = slotsOf(definition);
    const report = (rows: number, code: EndedQuery['code']) => {
      const times = timing.end(source.passed?.receiverMs ?? 0);
      source.onEnd?.(times);
      observe({ ...ended(definition, source), ...times, rows, code });
    };
    try {
      // The timeout policy of cockatiel would keep each result in memory until a full garbage collection.
      const result = await deadline.bound(own.run(deadline, start));
      report(source.passed?.rows ?? source.rowsOf?.(result) ?? 0, undefined);
      return result;
    } catch (thrown) {
      const error = explain(thrown, definition, deadline, { hasStarted: timing.hasStarted, passed: source.passed });
      report(source.passed?.rows ?? 0, error instanceof EngineError ? error.code : 'query_failed');
      throw error;
    }
  };
  return { run, load, waiting: (definition) => slots.get(definition)?.waiting ?? 0 };
}

function ended({ name: endpoint }: EndpointDefinition, { parameters, requestId }: QuerySource<never>) {
  return { kind: 'queried', endpoint, parameters, requestId } as const;
}

/** Measures how long a query waits and runs, and counts it among the waiting or running queries. */
class QueryTiming {
  readonly #load: { waiting: number; running: number };
  readonly #queuedAt = performance.now();
  #startedAt: number | undefined;
  #hasEnded = false;

  constructor(load: { waiting: number; running: number }) {
    this.#load = load;
    load.waiting += 1;
  }

  get hasStarted(): boolean {
    return this.#startedAt !== undefined;
  }

  start(): void {
    this.#startedAt = performance.now();
    // The deadline can already have ended the query while it waited for the breaker.
    if (this.#hasEnded) return;
    this.#load.waiting -= 1;
    this.#load.running += 1;
  }

  end(receiverMs: number): QueryTimes {
    const now = performance.now();
    this.#hasEnded = true;
    this.#load[this.hasStarted ? 'running' : 'waiting'] -= 1;
    const startedAt = this.#startedAt ?? now;
    return { waitMs: startedAt - this.#queuedAt, ms: Math.max(0, now - startedAt - receiverMs) };
  }
}

/** Consecutive failures after which the database counts as unavailable. */
const MAX_FAILURES = 5;
const RETRY_MS = 1000;
/**
 * The maximum number of requests of one endpoint that may wait. A waiting request costs little memory, and its deadline
 * limits the wait.
 */
const MAX_QUEUED = 1000;

/**
 * A queued query does not start if less than this share of its time limit is left, because the deadline would stop it
 * almost immediately.
 */
const MIN_REMAINING = 0.1;

/** If a query times out while its receiver has taken no rows for this time, the error names the slow client as the reason. */
const SLOW_RECEIVER_MS = 1_000;

/** Returns true for errors that open the breaker. Slow or invalid queries do not open it. */
function isUnavailable(error: Error): boolean {
  return error instanceof EngineError && error.code === 'database_unavailable';
}

function explain(
  error: unknown,
  { name }: EndpointDefinition,
  { timeoutMs }: Deadline,
  { hasStarted, passed }: { readonly hasStarted: boolean; readonly passed: QuerySource<never>['passed'] },
): unknown {
  if (error instanceof BrokenCircuitError) {
    return new EngineError('database_unavailable', 'The database is unavailable; the service retries every second.');
  }
  const isLate =
    error instanceof TaskCancelledError || (error instanceof EngineError && error.code === 'query_timeout');
  if (!isLate) return error;
  if (passed !== undefined && passed.waitingMs > SLOW_RECEIVER_MS) return slowAtLimit(timeoutMs);
  if (hasStarted) return timeoutError(timeoutMs);
  return new EngineError(
    'overloaded',
    `The query of ${name} could not start within ${timeoutMs} ms: too many requests are running.`,
  );
}

interface SlotLimits {
  /** The maximum number of tasks that run at the same time. */
  readonly count: number;
  /** The maximum number of tasks that wait. */
  readonly maxWaiting: number;
  /** The maximum number of tasks of one named caller that run at the same time. Default: `count`. */
  readonly maxPerCaller?: number;
  /** Returns the error for a task that is rejected because the queue is full. */
  readonly onFull: () => EngineError;
}

interface Waiting {
  readonly start: () => void;
  readonly reject: (reason: EngineError) => void;
}

/**
 * Limits the number of concurrent tasks. Waiting callers are served in rotation, and the waiting tasks of one caller
 * start in the order of its calls. A free slot is given directly to a waiting task, so that no later call can take it.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: FairQueue<Waiting>;
  /** The number of running tasks of each caller. */
  readonly #running = new Map<string, number>();
  #free: number;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#waiting = new FairQueue(limits.maxWaiting);
    this.#free = limits.count;
  }

  /** The number of tasks that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a slot until the deadline at most, and runs the task. Tasks without a caller share one queue and have no `maxPerCaller`. */
  async run<T>(deadline: Deadline, work: () => Promise<T>, caller = ''): Promise<T> {
    if (this.#free > 0 && this.#isAllowed(caller)) this.#take(caller);
    else await this.#wait(deadline, caller);
    try {
      return await work();
    } finally {
      this.#release(caller);
    }
  }

  readonly #isAllowed = (caller: string): boolean => {
    const { count, maxPerCaller = count } = this.#limits;
    return caller === '' || (this.#running.get(caller) ?? 0) < maxPerCaller;
  };

  #take(caller: string): void {
    this.#free -= 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
  }

  #release(caller: string): void {
    this.#free += 1;
    const others = (this.#running.get(caller) ?? 1) - 1;
    if (others > 0) this.#running.set(caller, others);
    else this.#running.delete(caller);
    const next = this.#waiting.take(this.#isAllowed);
    if (next === undefined) return;
    this.#take(next.caller);
    next.entry.start();
  }

  #wait(deadline: Deadline, caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let remove = () => false;
      const waiting: Waiting = {
        start: () => {
          remove();
          resolve();
        },
        reject: (reason) => {
          remove();
          this.#waiting.delete(caller, waiting);
          reject(reason);
        },
      };
      const excess = this.#waiting.add(caller, waiting);
      if (excess !== waiting) remove = deadline.onStop(waiting.reject);
      excess?.reject(this.#limits.onFull());
    });
  }
}

/**
 * A queue that serves several callers in rotation, so that one caller with many entries does not delay other callers. If the queue is full,
 * a new entry of a caller with fewer entries replaces the newest entry of the caller with the most entries.
 */
export class FairQueue<Entry> {
  readonly #maxLength: number;
  /** The entries of each caller, oldest first. The first caller in the map is served next. */
  readonly #callers = new Map<string, Entry[]>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an entry. If the queue is full, returns the entry that was dropped: the new one, or one of another caller. */
  add(caller: string, entry: Entry): Entry | undefined {
    const excess = this.#length < this.#maxLength ? undefined : this.#makeRoom(caller);
    if (excess === undefined && this.#length >= this.#maxLength) return entry;
    const own = this.#callers.get(caller);
    if (own === undefined) this.#callers.set(caller, [entry]);
    else own.push(entry);
    this.#length += 1;
    return excess;
  }

  /** Takes the oldest entry of the next caller. Skips callers for which `isAllowed` is false; they keep their position. */
  take(isAllowed: (caller: string) => boolean = () => true): { caller: string; entry: Entry } | undefined {
    for (const [caller, [entry]] of this.#callers) {
      if (entry === undefined || !isAllowed(caller)) continue;
      this.delete(caller, entry);
      const others = this.#callers.get(caller);
      if (others !== undefined) {
        this.#callers.delete(caller);
        this.#callers.set(caller, others);
      }
      return { caller, entry };
    }
    return undefined;
  }

  delete(caller: string, entry: Entry): void {
    const own = this.#callers.get(caller);
    const place = own?.indexOf(entry) ?? -1;
    if (own === undefined || place < 0) return;
    own.splice(place, 1);
    this.#length -= 1;
    if (own.length === 0) this.#callers.delete(caller);
  }

  /** Removes the newest entry of the caller with the most entries, if `caller` would still have fewer entries with the new one. */
  #makeRoom(caller: string): Entry | undefined {
    let most: { readonly name: string; readonly entries: readonly Entry[] } = { name: caller, entries: [] };
    for (const [name, entries] of this.#callers) if (entries.length > most.entries.length) most = { name, entries };
    if ((this.#callers.get(caller)?.length ?? 0) + 1 >= most.entries.length) return undefined;
    const newest = most.entries.at(-1) as Entry;
    this.delete(most.name, newest);
    return newest;
  }
}
